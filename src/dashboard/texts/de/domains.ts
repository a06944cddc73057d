// Absender-Domains und ihre DNS-Einträge.
import type { Texts } from '..'
import { formed } from './numbers'

const otherValue = 'Unter diesem Namen steht ein anderer Wert. Ersetzen Sie ihn.'

export const domains: Texts['domains'] = {
  title: 'Domains',
  hint: 'E-Mails gehen nur von Domains ab, die nachweislich Ihnen gehören.',
  add: 'Domain hinzufügen',
  name: 'Domain',
  nameHint: 'Was hinter dem @ Ihres Absenders steht. Eine Subdomain hält ihren Ruf vom Rest getrennt.',
  empty: 'Noch keine Domain',
  emptyHint:
    'Fügen Sie die Domain hinzu, von der Ihre E-Mails kommen, und veröffentlichen Sie einige DNS-Einträge für sie.',
  adminsOnly: 'Admins und Inhaber des Projekts können Domains hinzufügen und entfernen.',
  sandbox:
    'Ein Name zum Ausprobieren: Er gilt, solange E-Mails im Postausgang bleiben, und braucht keine Einträge.',
  sandboxNote: 'Zum Ausprobieren',
  recordsThere: (there, all) => `${there} von ${all} Einträgen gefunden`,
  states: {
    verified: 'Bestätigt',
    advised: 'Bestätigt',
    waiting: 'Wartet auf DNS',
    wrong: 'Falscher Eintrag',
  },
  advice: {
    verified: 'Alle Einträge sind da. Es bleibt nichts zu tun.',
    advised:
      'Sie können senden. Veröffentlichen Sie auch die empfohlenen Einträge, damit mehr Ihrer E-Mails im Posteingang ankommen.',
    waiting:
      'Veröffentlichen Sie die Einträge unten dort, wo Sie das DNS dieser Domain verwalten. Solange diese Seite offen ist, wird alle paar Sekunden geprüft; bis die Einträge sichtbar sind, dauert es Minuten, bei manchen Anbietern Stunden.',
    wrong:
      'Unter einem Namen steht etwas anderes, als dort stehen soll. Ersetzen Sie es durch den Eintrag unten.',
  },
  notChecked: 'Nicht geprüft',
  recordStates: { verified: 'Gefunden', pending: 'Noch nicht da', failed: 'Dort steht etwas anderes' },
  required: 'Erforderlich',
  requiredHint: 'Sobald diese gefunden sind, gehen von dieser Domain E-Mails ab.',
  advised: 'Empfohlen',
  advisedHint: 'Große E-Mail-Anbieter erwarten sie von allen, die an viele senden.',
  record: {},
  purposes: {
    dkim: {
      title: 'Signatur (DKIM)',
      hint: 'Daran sehen Empfänger, dass eine E-Mail von Ihnen stammt und unterwegs nicht verändert wurde.',
      failed: otherValue,
    },
    spf: {
      title: 'Server (SPF)',
      hint: 'Nennt die Server, die für Sie senden. Gibt es schon einen solchen Eintrag, ergänzen Sie darin, was fehlt.',
      failed: 'Es gibt mehrere, und dann trauen Empfänger keinem. Fassen Sie sie zu einem Eintrag zusammen.',
    },
    dmarc: {
      title: 'Richtlinie (DMARC)',
      hint: 'Sagt, was mit E-Mails geschieht, die nur vorgeben, von Ihnen zu sein. Beginnen Sie mit p=none und werden Sie später strenger.',
      failed: 'Es gibt mehrere, und dann folgen Empfänger keinem. Behalten Sie einen davon.',
    },
    'return-path': {
      title: 'Rückweg',
      hint: 'Wohin Berichte über unzustellbare E-Mails gehen.',
      failed: otherValue,
    },
    inbound: {
      title: 'Eingehende E-Mails',
      hint: 'Bringt E-Mails an diese Domain hierher.',
      failed: otherValue,
    },
  },
  health: {
    title: 'Was Empfänger davon halten',
    hint: 'Wie andere Server Ihre E-Mails beurteilen, nach den jetzigen Einträgen im DNS.',
    topics: {
      spf: 'Server (SPF)',
      dkim: 'Signatur (DKIM)',
      dmarc: 'Richtlinie (DMARC)',
      'reverse-dns': 'Name der Adresse',
    },
    levels: { ok: 'In Ordnung', warn: 'Hinweis', fail: 'Fehler' },
    publish: (type, name) => `Als ${type} von ${name} veröffentlichen:`,
    codes: {
      'spf.covers': 'SPF erlaubt die Server, von denen Ihre E-Mails kommen: {hosts}.',
      'spf.provider': 'Der Umschlag Ihrer E-Mails trägt den Namen {domain}, dessen SPF zählt.',
      'spf.unchecked':
        'Es gibt genau einen SPF-Eintrag, und er ist lesbar. Woher Ihre E-Mails kommen, ist hier nicht bekannt.',
      'spf.missing': 'Es gibt keinen SPF-Eintrag.',
      'spf.several':
        'Es gibt mehr als einen SPF-Eintrag, und Empfänger trauen keinem. Fassen Sie sie zu einem zusammen.',
      'spf.notCovered': 'SPF erlaubt die Server nicht, von denen Ihre E-Mails kommen: {hosts}.',
      'spf.open': 'SPF erlaubt allen, in Ihrem Namen zu senden.',
      'spf.lookups':
        'Der SPF-Eintrag braucht mehr als zehn Abfragen, und Empfänger geben auf. Lassen Sie weg, was nicht mehr sendet.',
      'spf.invalid':
        'Der SPF-Eintrag ist ungültig und wird von Empfängern ignoriert: Ein Teil davon, oder von dem, was er einbindet, lässt sich nicht auswerten.',
      'spf.unknown': 'Auf die Frage nach SPF hat kein Nameserver geantwortet.',
      'dkim.strong': 'Der Schlüssel bei {name} ist stark.',
      'dkim.short': 'Der Schlüssel bei {name} hat {bits} Bit; üblich sind 2048.',
      'dkim.weak': 'Der Schlüssel bei {name} hat {bits} Bit, und Empfänger ignorieren ihn.',
      'dkim.missing': 'Bei {name} steht kein Schlüssel.',
      'dkim.unreadable': 'Was bei {name} steht, ist kein Schlüssel.',
      'dkim.unknown': 'Auf die Frage nach {name} hat kein Nameserver geantwortet.',
      'dkim.byRelay':
        'Das Relay signiert die E-Mails dieser Domain. Schicken Sie sich selbst eine, um zu sehen, dass es das tut.',
      'dmarc.aligned':
        'Umschlag und Signatur tragen den Namen der Domain, wie es die Richtlinie (p={policy}) verlangt.',
      'dmarc.byDkim':
        'Die Signatur trägt den Namen der Domain, wie es die Richtlinie (p={policy}) verlangt; der Umschlag, von {envelope}, nicht.',
      'dmarc.missing': 'Es gibt keinen DMARC-Eintrag.',
      'dmarc.several':
        'Es gibt mehr als einen DMARC-Eintrag, und Empfänger folgen keinem. Behalten Sie einen.',
      'dmarc.invalid': 'Der DMARC-Eintrag hat keine Richtlinie.',
      'dmarc.unknown': 'Auf die Frage nach DMARC hat kein Nameserver geantwortet.',
      'reverse.confirmed': '{address} heißt {name}, und dieser Name führt zurück.',
      'reverse.missing':
        '{address} hat keinen Namen: Der Betreiber der Adresse muss einen PTR-Eintrag veröffentlichen.',
      'reverse.other': '{address} heißt {name}, aber dieser Name hat eine andere Adresse.',
      'reverse.unknown': 'Auf die Frage nach {address} hat kein Nameserver geantwortet.',
    },
  },
  key: {
    title: 'Signaturschlüssel',
    hint: 'Der Schlüssel hinter dem DKIM-Eintrag. Viele ersetzen ihn ein- bis zweimal im Jahr, und sofort, wenn er bekannt geworden sein könnte.',
    signs: (selector: string) => `E-Mails werden mit dem Schlüssel ${selector} signiert.`,
    next: (selector: string) => `Neuer Schlüssel ${selector}`,
    nextHint:
      'Veröffentlichen Sie diesen Eintrag neben dem alten. Sobald er gefunden wird, signiert der neue Schlüssel; bis dahin der alte.',
    stays: (selector: string, name: string) =>
      `Der Schlüssel ${selector} wurde ersetzt. Lassen Sie seinen Eintrag unter ${name} stehen, bis alles angekommen ist, was er signiert hat:`,
    removable: (selector: string, name: string) =>
      `Der Schlüssel ${selector} wurde ersetzt. Sein Eintrag unter ${name} kann jetzt entfernt werden.`,
    replace: 'Schlüssel ersetzen',
    replaceTitle: (name: string) => `Den Schlüssel von ${name} ersetzen?`,
    replaceHint:
      'Sie bekommen einen zweiten DNS-Eintrag zum Veröffentlichen. Für Ihre E-Mails ändert sich nichts, bis er gefunden wird.',
    giveUp: 'Alten Schlüssel behalten',
    byRelay: 'Das Relay signiert die E-Mails dieser Domain; von hier gehen sie unsigniert hinaus.',
    letRelay: 'Das Relay signieren lassen',
    letRelayTitle: (name: string) => `Die E-Mails von ${name} vom Relay signieren lassen?`,
    letRelayHint:
      'Für ein Relay, das mit einem eigenen Schlüssel signiert. Tut es das nicht, vertrauen Empfänger Ihren E-Mails weniger. Der Eintrag des hiesigen Schlüssels muss stehen bleiben: Er beweist, dass die Domain Ihnen gehört.',
    signHere: 'Wieder hier signieren',
  },
  warmUp: {
    title: 'Aufwärmen',
    start: 'Aufwärmen beginnen',
    hint: 'Einer neuen Domain wird eher vertraut, wenn sie wächst. Was über die Menge eines Tages hinausgeht, wartet auf den nächsten; transaktionale E-Mails warten nie.',
    firstDay: 'Nachrichten am ersten Tag',
    factor: 'Wievielmal so viele an jedem weiteren Tag',
    factorHint: 'Von 1,1 bis 10. Ein Tag, an dem wenig versandt wird, zählt nicht.',
    target: 'Bis so viele an einem Tag abgehen dürfen',
    change: 'Ändern',
    plan: (firstDay: number, factor: number, target: number) =>
      `${formed(firstDay)} Nachrichten am ersten Tag, an jedem weiteren ${formed(factor)}-mal so viele, bis ${formed(target)}.`,
    reached: (target: number, day: string) =>
      `Wenn jeden Tag genug versandt wird, dürfen am ${day} ${formed(target)} abgehen, und danach gilt keine Grenze mehr.`,
    nothingYet: 'Noch ist nichts abgegangen. Der erste Tag beginnt mit der ersten Nachricht.',
    day: (day: string, sent: number, allowance: number) => `${day}: ${formed(sent)} von ${formed(allowance)}`,
    stop: 'Beenden',
    stopTitle: (name: string) => `Das Aufwärmen von ${name} beenden?`,
    stopHint:
      'Was von Kampagnen wartet, geht innerhalb von Minuten ab, wie viel es auch ist. Die bisherigen Tage werden vergessen.',
  },
  zoneFile: 'Zonendatei',
  verifyNow: 'Jetzt prüfen',
  outcomes: {
    Success: 'Die Domain ist bestätigt.',
    Pending: 'Noch sind nicht alle erforderlichen Einträge da.',
    Failed: 'Wo ein erforderlicher Eintrag sein soll, steht etwas anderes.',
    TemporaryFailure: 'Kein Nameserver hat geantwortet. Es hat sich nichts geändert.',
  },
  remove: 'Entfernen',
  removed: name => `${name} wurde entfernt.`,
  removeHint:
    'In diesem Projekt geht von ihr nichts mehr ab, bis sie neu hinzugefügt und bestätigt ist. Versendete E-Mails bleiben unberührt.',
}
