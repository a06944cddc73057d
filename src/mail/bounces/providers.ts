// Rules for what single providers and programs mean by words or codes that say something else, or nothing, elsewhere. They come before all
// others. `words` is compared with the text in lower case, names of hosts included.
import type { Meaning, RefusedAt } from './refusal'

export interface ProviderRule {
  of: string
  means: Meaning
  words: RegExp
  code?: number
  status?: string
  at?: RefusedAt
}

export const providerRules: readonly ProviderRule[] = [
  // A recipient that the tenant does not know. Postfix says the same words with 5.7.1 to whom it relays nothing for, which is about us.
  { of: 'Microsoft 365', means: 'dead', status: '5.4.1', words: /recipient address rejected: access denied/ },
  // Of several recipients together: probably none of them is there.
  {
    of: 'Microsoft 365',
    means: 'unknown',
    status: '5.4.1',
    words: /all recipient addresses rejected ?: access denied/,
  },
  { of: 'Exchange', means: 'dead', words: /resolver\.adr\.(?:recip|ex)\w*notfound|resolver\.adr\.invalid/ },
  {
    of: 'Exchange',
    means: 'refused',
    words: /resolver\.rst\.|recipientthrottled|submissionquotaexceeded|recipientlimitexceeded/,
  },
  { of: 'Outlook.com', means: 'dead', words: /requested action not taken: mailbox unavailable/, at: 'rcpt' },
  {
    of: 'Outlook.com',
    means: 'refused',
    words: /\b(?:sc|oj|dy|rp|cs)-00\d\b|s3140|s3150|as\(\d{4}\)|\b5\.7\.(?:5|6)\d\d\b/,
  },
  // Gmail.
  {
    of: 'Gmail',
    means: 'dead',
    status: '5.1.1',
    words: /email account that you tried to reach (?:does not|doesn't) exist|p=nosuchuser/,
  },
  // Others quote the sentence; Gmail never says it without its code.
  {
    of: 'Gmail',
    means: 'unknown',
    words: /email account that you tried to reach (?:does not|doesn't) exist/,
  },
  {
    of: 'Gmail',
    means: 'full',
    words: /email account that you tried to reach is over quota|recipient's inbox is out of storage/,
  },
  {
    of: 'Gmail',
    means: 'unknown',
    words: /email account that you tried to reach is (?:disabled|inactive)|p=disableduser/,
  },
  {
    of: 'Gmail',
    means: 'refused',
    words: /user you are trying to contact is receiving mail at a rate|our system has detected/,
  },
  { of: 'Google Groups', means: 'unknown', words: /groups\.google\.com\/support/ },
  // Yahoo and AOL say it after the message as well.
  {
    of: 'Yahoo',
    means: 'dead',
    words:
      /delivery error: dd (?:this )?user doesn't have|delivery error: dd (?:not a valid recipient|requested mail action aborted, mailbox not found)/,
  },
  { of: 'Yahoo', means: 'dead', words: /requested mail action aborted, mailbox not found/ },
  { of: 'Yahoo', means: 'refused', words: /\[(?:tss?|ph|bl|gl|cm|pr)\d{2,}\]/ },
  { of: 'Yahoo', means: 'refused', words: /message temporarily deferred/ },
  // Its 5.2.1 is about the message.
  {
    of: 'AOL',
    means: 'refused',
    words: /aol will not accept delivery|\b(?:con|dny|dyn|hvu|rly|rtr):[a-z]{1,2}\d?\b/,
  },
  // Orange, Wanadoo, La Poste, SFR.
  { of: 'Orange', means: 'dead', words: /\b(?:ofr|lpn)\d{0,3}_(?:410|415|416)\b/ },
  { of: 'Orange', means: 'full', words: /\b(?:ofr|lpn)\d{0,3}_(?:417|422)\b/ },
  { of: 'Orange', means: 'unknown', words: /\b(?:ofr|lpn)\d{0,3}_426\b/ },
  { of: 'Orange', means: 'refused', words: /\b(?:ofr|lpn)\d{0,3}_\d{3}\b/ },
  // QQ, Tencent and NetEase.
  {
    of: 'QQ',
    means: 'refused',
    words:
      /mail content denied|ip frequency limited|connection frequency limited|dmarc check failed|suspected bounce attacks/,
  },
  // About our domain, not the recipient's.
  { of: 'QQ', means: 'refused', words: /domain may not exist or dns check failed/ },
  { of: '163', means: 'refused', words: /\b(?:dt|er|hl|ip|mi|rp|rt):[a-z]{3} 163\b/ },
  {
    of: '163',
    means: 'refused',
    words:
      /\bdt:spm\b|\b(?:mi|dt|rp|rt|ip|er|hl):(?:spf|spm|dmc|crc|nrf|cel|qrc|stc|ssl|dpt|spb|wbl|ipb|spl|itc|ifc|sum|rbl)\b/,
  },
  // GoDaddy's codes, Cox, Spectrum.
  { of: 'GoDaddy', means: 'refused', words: /\bib(?:1\d\d|4\d\d|5\d\d|6\d\d|7\d\d)[a-z]?\b/ },
  {
    of: 'Cox',
    means: 'refused',
    words: /\b(?:aup|cxbl|cxdns|cxsndr|cxthrt|cxmxrt|cdrbl|urlbl)\b|sender rejected/,
  },
  // Filters in front of others.
  { of: 'Proofpoint', means: 'refused', words: /proofpoint\.com|ppe-hosted|pphosted\.com\/.{0,40}dnsbl/ },
  { of: 'Mimecast', means: 'dead', words: /invalid recipient - https?:\/\/community\.mimecast/ },
  {
    of: 'Mimecast',
    means: 'refused',
    words: /mimecast\.com\/docs|mcspamsignature|rejected due to security policies|email rejected by mimecast/,
  },
  {
    of: 'Barracuda',
    means: 'refused',
    words: /barracudanetworks\.com\/reputation|barracudacentral\.org|bl\.barracuda/,
  },
  {
    of: 'Barracuda',
    means: 'refused',
    words: /permanent failure for one or more recipients \([^()]{1,320}:blocked\)/,
  },
  { of: 'MX Logic', means: 'refused', words: /\bdenied \[.{1,200}\(mode: (?:normal|moderated)\)/ },
  { of: 'MessageLabs', means: 'dead', words: /^(?:smtp; ?)?542 .{0,300}rejected/ },
  // All its codes have the same words: P1 is an address that is not there, P2 and P3 what the recipient chose.
  { of: 'Facebook', means: 'dead', words: /\brcp-p1\b/ },
  {
    of: 'Facebook',
    means: 'refused',
    words: /\b(?:rcp-p[23]|(?:blk|con|dns|msg|pol)-[pt]\d)\b.{0,40}facebook\.com/,
  },
  { of: 'T-Online', means: 'refused', words: /tosa@rx\.t-online\.de/ },
  // In reply to RCPT, with the address in brackets.
  { of: 'au', means: 'dead', words: /\b550:? <[^<>]{1,320}@ezweb\.ne\.jp>: user unknown/ },
  // Carriers in Japan answer so after the message for what a recipient's own filter stopped.
  { of: 'au', means: 'unknown', words: /(?:^|[ :;])550 ?: user unknown/ },
  { of: 'docomo', means: 'unknown', words: /unknown user .{0,100}docomo\.(?!blackberry)/ },
  // IronPort: the address is not in its directory.
  { of: 'IronPort', means: 'dead', words: /#5\.1\.0 address rejected/ },
  // A local delivery that fails over its own files.
  { of: 'procmail', means: 'refused', words: /procmail|couldn't create "|\| ?\/[\w/.-]+\/bin\// },
  {
    of: 'Postfix',
    means: 'dead',
    words:
      /host or domain name not found\. name service error .{0,200}(?:host not found|no address associated)/,
  },
  { of: 'Postfix', means: 'unknown', words: /host not found, try again/ },
  // A sentence of its own about a local recipient.
  { of: 'sendmail', means: 'dead', words: /\bmail\.local: unknown (?:user|name)\b/ },
  { of: 'IMail', means: 'dead', words: /^unknown user: [^\s@]{1,64}@/ },
  // Lists of recipients that qmail's patches keep: of those that exist, and of those that somebody shut.
  { of: 'qmail', means: 'dead', words: /not in my validrcptto list/ },
  { of: 'qmail', means: 'unknown', words: /in my bad(?:rcptto|recipientto) list/ },
  { of: 'LDAP', means: 'dead', words: /\brecipient [^\s]{1,320} was not found in\b/ },
  // cPanel's last router, for a domain that no host receives mail for.
  { of: 'cPanel', means: 'dead', words: /account or domain may not exist, they may be blacklisted/ },
  // Its code for a sender whose domain does not exist.
  { of: 'Courier', means: 'refused', code: 517, words: /invalid domain|domain does not exist/ },
  // It could not sign in, or greet, by the name that we gave.
  { of: 'qmail', means: 'refused', words: /but my name was rejected/ },
  // Exim's callout: it could not verify us.
  {
    of: 'Exim',
    means: 'refused',
    words: /sender verify failed|verification failed for|unroutable sender|unrouteable sender/,
  },
  { of: 'sendmail', means: 'refused', words: /domain of sender address|does not exist .{0,40}sender/ },
  // 521: the host takes no mail at all (RFC 7504).
  {
    of: 'RFC 7504',
    means: 'dead',
    words: /system not accepting network|host (?:or domain )?does not accept e?-?mail/,
  },
]
