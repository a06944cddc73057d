// Sender domains and their DNS records.
import { formed } from './numbers'

export const domains = {
  title: 'Domains',
  hint: 'Mail can be sent from the domains that you have proved to be yours.',
  add: 'Add domain',
  name: 'Domain',
  nameHint: 'What comes after the @ of your sender. A subdomain keeps its reputation apart from the rest.',
  empty: 'No domain yet',
  emptyHint: 'Add the domain that your mail comes from, and publish a few DNS records for it.',
  adminsOnly: 'Admins and the owner of the project add and remove domains.',
  sandbox: 'A name for trying things out: it counts while mail is kept in the outbox, and needs no records.',
  sandboxNote: 'For trying things out',
  recordsThere: (there: number, all: number) => `${there} of ${all} records found`,
  states: { verified: 'Verified', advised: 'Verified', waiting: 'Waiting for DNS', wrong: 'Wrong record' },
  advice: {
    verified: 'All records are there. Nothing is left to do.',
    advised: 'You can send. Publish the advised records too, so that more of your mail reaches the inbox.',
    waiting:
      'Publish the records below where you manage the DNS of this domain. They are looked up every few seconds while this page is open; it may take minutes, and with some providers hours, until they can be seen.',
    wrong: 'There is something else at a name where a record should be. Replace it with the one below.',
  },
  notChecked: 'Not checked',
  recordStates: { verified: 'Found', pending: 'Not there yet', failed: 'Something else there' },
  required: 'Required',
  requiredHint: 'Mail is sent from this domain once these are found.',
  advised: 'Advised',
  advisedHint: 'Large mail providers expect them of everybody who sends to many.',
  record: {},
  purposes: {
    dkim: {
      title: 'Signature (DKIM)',
      hint: 'Lets receivers see that a mail is yours and was not changed on its way.',
      failed: 'Another value stands at this name. Replace it.',
    },
    spf: {
      title: 'Servers (SPF)',
      hint: 'Names the servers that send for you. If you have such a record already, put what is missing into that one.',
      failed: 'There is more than one, and then receivers trust none. Merge them into one record.',
    },
    dmarc: {
      title: 'Policy (DMARC)',
      hint: 'Says what happens to mail that only claims to be yours. Begin with p=none, and be stricter later.',
      failed: 'There is more than one, and then receivers follow none. Keep one of them.',
    },
    'return-path': {
      title: 'Return path',
      hint: 'Where reports of undelivered mail go.',
      failed: 'Another value stands at this name. Replace it.',
    },
    inbound: {
      title: 'Incoming mail',
      hint: 'Brings mail to this domain here.',
      failed: 'Another value stands at this name. Replace it.',
    },
  },
  health: {
    title: 'What receivers make of it',
    hint: 'Your mail as other servers judge it, by what the DNS says now.',
    topics: {
      spf: 'Servers (SPF)',
      dkim: 'Signature (DKIM)',
      dmarc: 'Policy (DMARC)',
      'reverse-dns': 'Name of the address',
    },
    levels: { ok: 'In order', warn: 'Advice', fail: 'Broken' },
    publish: (type: string, name: string) => `Publish as ${type} of ${name}:`,
    codes: {
      'spf.covers': 'SPF allows what your mail leaves from: {hosts}.',
      'spf.provider': 'The envelope of your mail is in the name of {domain}, whose SPF counts.',
      'spf.unchecked':
        'There is one SPF record, and it can be read. Where your mail leaves from is not known here.',
      'spf.missing': 'There is no SPF record.',
      'spf.several': 'There is more than one SPF record, and receivers trust none. Merge them into one.',
      'spf.notCovered': 'SPF does not allow what your mail leaves from: {hosts}.',
      'spf.open': 'SPF lets everybody send in your name.',
      'spf.lookups':
        'The SPF record needs more than ten look-ups, and receivers give up. Leave out what no longer sends.',
      'spf.invalid':
        'The SPF record is not valid, so receivers ignore it: a part of it, or of what it includes, can’t be followed.',
      'spf.unknown': 'No name server answered about SPF.',
      'dkim.strong': 'The key at {name} is strong.',
      'dkim.short': 'The key at {name} has {bits} bits; 2048 are usual.',
      'dkim.weak': 'The key at {name} has {bits} bits, and receivers ignore it.',
      'dkim.missing': 'There is no key at {name}.',
      'dkim.unreadable': 'What is published at {name} is not a key.',
      'dkim.unknown': 'No name server answered about {name}.',
      'dkim.byRelay': 'The relay signs mail from this domain. Send yourself a message to check that it does.',
      'dmarc.aligned':
        'Envelope and signature are in the name of the domain, as the policy (p={policy}) asks.',
      'dmarc.byDkim':
        'The signature is in the name of the domain, as the policy (p={policy}) asks; the envelope, of {envelope}, is not.',
      'dmarc.missing': 'There is no DMARC record.',
      'dmarc.several': 'There is more than one DMARC record, and receivers follow none. Keep one.',
      'dmarc.invalid': 'The DMARC record has no policy.',
      'dmarc.unknown': 'No name server answered about DMARC.',
      'reverse.confirmed': '{address} is called {name}, and that name leads back.',
      'reverse.missing': '{address} has no name: whoever it belongs to must publish a PTR record.',
      'reverse.other': '{address} is called {name}, but that name has another address.',
      'reverse.unknown': 'No name server answered about {address}.',
    } as Record<string, string>,
  },
  key: {
    title: 'Signing key',
    hint: 'The key behind the DKIM record. Many replace it once or twice a year, and at once when it may have leaked.',
    signs: (selector: string) => `Mail is signed with the key ${selector}.`,
    next: (selector: string) => `New key ${selector}`,
    nextHint:
      'Publish this record beside the old one. As soon as it is found, the new key signs; until then the old one does.',
    stays: (selector: string, name: string) =>
      `The key ${selector} was replaced. Leave its record at ${name} until what it signed has arrived everywhere:`,
    removable: (selector: string, name: string) =>
      `The key ${selector} was replaced. Its record at ${name} may be removed now.`,
    replace: 'Replace the key',
    replaceTitle: (name: string) => `Replace the key of ${name}?`,
    replaceHint:
      'A second DNS record is made for you to publish. Nothing changes for your mail until that record is found.',
    giveUp: 'Keep the old key',
    byRelay: 'The relay signs mail from this domain; it leaves here unsigned.',
    letRelay: 'Let the relay sign',
    letRelayTitle: (name: string) => `Let the relay sign mail from ${name}?`,
    letRelayHint:
      'For a relay that signs with a key of its own. If it does not, receivers will trust your mail less. Keep the DNS record of the key shown here: it proves that the domain is yours.',
    signHere: 'Sign here again',
  },
  warmUp: {
    title: 'Warm-up',
    start: 'Start a warm-up',
    hint: 'A new domain is trusted more when it grows. What is more than a day allows waits for the next; transactional mail never waits.',
    firstDay: 'Messages on the first day',
    factor: 'Times as many on each next day',
    factorHint: 'From 1.1 to 10. A day on which little is sent does not count.',
    target: 'Until so many may leave on a day',
    change: 'Change',
    plan: (firstDay: number, factor: number, target: number) =>
      `${formed(firstDay)} messages on the first day, ${formed(factor)} times as many on each next one, up to ${formed(target)}.`,
    reached: (target: number, day: string) =>
      `If enough is sent each day, ${formed(target)} may leave on ${day}, and there is no limit after that.`,
    nothingYet: 'Nothing has left yet. The first day begins with the first message.',
    day: (day: string, sent: number, allowance: number) => `${day}: ${formed(sent)} of ${formed(allowance)}`,
    stop: 'Stop',
    stopTitle: (name: string) => `Stop the warm-up of ${name}?`,
    stopHint:
      'What campaigns have waiting leaves within minutes, however much it is. The days so far are forgotten.',
  },
  zoneFile: 'Zone file',
  verifyNow: 'Verify now',
  outcomes: {
    Success: 'The domain is verified.',
    Pending: 'Not all required records are there yet.',
    Failed: 'There is something else where a required record should be.',
    TemporaryFailure: 'No name server answered. Nothing has changed.',
  },
  remove: 'Remove',
  removed: (name: string) => `${name} was removed.`,
  removeHint:
    'Nothing can be sent from it any more, in this project, until it is added and proved again. Mail that has left is not touched.',
}
