// What servers say, whoever runs them: the first rule of which a phrase is found decides. What speaks of us stands before what speaks of the
// recipient, so that doubt keeps the address. In the form of `phrases.ts`; taken from the sources of the servers and from public lists.
import { foreignPhrases } from './languages'
import { phrasesOf } from './phrases'
import type { Meaning } from './refusal'

export interface WordRule {
  name: string
  means: Meaning
  phrases: readonly string[]
  /** Said of everything: proves little without the place where it was said. */
  isGeneric?: true
}

export const wordRules: readonly WordRule[] = [
  {
    name: 'too much at once',
    means: 'refused',
    phrases: phrasesOf(`
      sending quota | sending limit | send quota | rate quota | per hour | this hour | per day | daily | hourly | too many recipients |
      relay quota | outgoing quota | message quota | too many messages … from | too many connections
    `),
  },
  {
    name: 'the mailbox is full',
    means: 'full',
    phrases: phrasesOf(`
      mailbox … full | mailfolder … full | mailbox … over quota | mailbox … quota | mailbox … exceeded | mailbox size limit |
      mailbox limit exceeded | mail box full | maildir over quota | overdrawn | inbox … full | inbox is over | account … over quota |
      account … quota exceeded | user … over quota | user … quota exceeded | recipient … over quota | quota exceeded mailbox |
      quota exceeded message delivery failed | disk quota | disk full | disk space | over quota | out of storage | storage … exceeded |
      exceeded storage | storage quota | storage limit | insufficient … storage | not enough storage | mailbox … exceeds |
      account is full | over its limit | has reached quota | reached its quota |
      quota exceeded | exceeds … quota | exceed … quota | exceeded … quota | quota full | user is overquota | overquota |
      message count limit | too many messages … mailbox | mailbox … no space | number of messages in recipient | too much mail data |
      box aux lettres … pleine | boite … pleine | boîte … pleine | buzón … lleno | buzon … lleno | casella … piena | postfach … voll |
      mailbox … voll | caixa postal cheia | full mailbox | no space left | ящик … переполнен | メールボックスが一杯 | 邮箱空间 | 容量不足
    `),
  },
  {
    name: 'the account is shut for now',
    means: 'unknown',
    phrases: phrasesOf(`
      account … disabled | account … suspended | account … inactive | account … not active | account … locked | account … blocked |
      on hold | account … deactivated | account … frozen | account … bloque | account … on hold | account expired |
      account has expired | mailbox … disabled | mailbox … suspended | mailbox … inactive | mailbox … not active | mailbox … locked |
      mailbox … frozen | mailbox … blocked | mailbox … deactivated | mailbox … temporarily | mailbox currently unavailable |
      mailbox … cannot be accessed | user … disabled | user … suspended | user … inactive | user … not active | user … locked |
      user … temporary locked | user … deactivated | disabled recipient | recipient … disabled | recipient … suspended |
      recipient … inactive | address … disabled | address … suspended | email … disabled | domain … suspended | domain … expired |
      disabled or discontinued | not currently being accepted | on vacation | disabled mailbox | inactive user | inactive account | invalid/inactive | compte … bloque |
      compte … suspendu | compte … inactif | konto … gesperrt | konto … deaktiviert | cuenta … desactivada | account is temporarily |
      user is temporarily
    `),
  },
  {
    name: 'the sender or its host is not wanted',
    means: 'refused',
    phrases: phrasesOf(`
      backscatter | host name does not exist | hostname does not exist |
      sender | originator | sending domain | return address … exist | return address … invalid | return address … unknown |
      reply to address | invalid from | absender … unbekannt | absender … existiert nicht | expéditeur … inconnu | expediteur … inconnu |
      expéditeur … invalide | expediteur … invalide | remitente … desconocido | remitente … no existe | remetente … desconhecido |
      remetente … não existe | mittente … sconosciuto | mittente … inesistente |
      mail from | mailfrom | from address | from header | from: header | envelope from | return path | helo | ehlo |
      reverse dns | reverse lookup | rdns | ptr | client host | client ip | client address | your ip | the ip | this ip | from ip |
      ip … is not | sending ip | ip name | your host | your server | your mail server | your network | your domain | your isp |
      your email provider | host network | invalid host | blacklist | black list | blocklist | block list | blocked | is listed |
      are listed | was listed | currently listed | rbl | dnsbl | banned | spamhaus | spamcop | sorbs | barracuda | uribl | surbl |
      senderscore | invaluement | badmailfrom | badrcptto | reputation | poor rep | open relay | open proxy | dynamic ip | dial up |
      dialup | residential | verification failed for | relay access denied | relaying denied | relaying | relay not permitted |
      relay denied | unable to relay | cannot relay | mail relay | not relay | to relay | relay is | no relay | insecure mail relay |
      not a gateway | gateway user | rcpthosts
    `),
  },
  {
    name: 'sign-in, SPF, DKIM or DMARC',
    means: 'refused',
    phrases: phrasesOf(`
      spf | dkim | selector | dmarc | domainkeys | unauthenticated | authenticat | smtp auth | auth required | must log in | login required |
      tls required | requires tls | must issue a starttls | starttls | require encryption
    `),
  },
  {
    name: 'spam, virus or content',
    means: 'refused',
    phrases: phrasesOf(`
      spam | antispam | junk | ube | uce | unsolicited | bulk mail | bulk email | dm email | phish | suspicious | scored as | virus |
      malware | infected | malicious | content | attachment | message body | body of | header | media error | dt:spm | dt spm |
      message looks like | message filtered | filtered | message rejected | mail rejected | email rejected | message refused |
      mail rejete | message blocked | illegal attachment | url in | bad url | not rfc | rfc compliant | rfc 5322 | rfc 2822 |
      duplicate | bare lf | bare cr | message size | message too | too large | too big | message length | size limit | exceeds size |
      maximum size | maximum message | message exceeds | non ascii | smtputf8 | contains utf8 | 8bit | message classified |
      classified as | received this message before
    `),
  },
  {
    name: 'policy, or too much at once',
    means: 'refused',
    phrases: phrasesOf(`
      policy | policies | violation | violates | administrative | prohibit | restricted | restriction | not authorized | unauthorized |
      not authorised | not permitted | not allowed | not accepted from | permission | forbidden | access denied | denied by | security polic | security reason | security violation | security restriction |
      security issue | security risk | security check | for security |
      access to the mail | delivery not authorized | not accept mail from | does not accept mail from | don't accept | whitelist |
      greylist | grey list | graylist | rate limit | at a rate | rate that | too fast | too many | too much | too frequent | frequency |
      throttl | per hour | this hour | per day | per minute | hourly | daily | quota for | limit reached | limit exceeded |
      rate exceeded | volume | flood | concurrent | busy | try again later | try later | resources | overload | service refus |
      not accepting connections | connections not accepted | challenge | verify | callout | callback | complaint | mail refused |
      rejected by | refused by | host lookup failed | not compliant | protocol | syntax error | command not | unrecognized command | unrecognised command | unknown command |
      bad command | invalid command | command unrecognized | bad sequence | loop | hop count |
      too many hops | procmail | pipe to | internal | system error | configuration | misconfigured | ldap | out of memory |
      local error | local problem | mailer error | closed group | members only | not a member | file does not exist
    `),
  },
  {
    name: 'nobody is there',
    means: 'dead',
    phrases: phrasesOf(`
      user missing home | userunknown | not present in directory | can't accept user | rejected recipients | address could not be found |
      not an active address | mailbox not present | mailbox unavaiable | no mail box | account unavailable | account not available |
      recipient is not local | recipient not local | recipient not ok | no one at this address | domain must exist |
      name or service not known | domain does not accept | domain doesn't accept | user … not found | user not known |
      user … does not exist | user … doesn't exist | user … not exist | user … no longer | user has left | user … not listed |
      user not here | user … is not known | no such recipient | no such mailbox | no such account | no such address | no such person |
      no such local | no such name | no such email | no such e mail | no such domain | no such host | no user | no mailbox | no account |
      no recipient | no valid recipient | not a valid user | not a valid mailbox | not a valid recipient | not a valid address |
      not a valid email | not a known user | not a local | not our user | not our customer | not known here | not known at |
      is not known | isn't known | not recognized | not recognised | unknown recipient | recipient unknown | recipient is unknown |
      recipient not found | recipient … not found | recipient … does not exist | recipient … doesn't exist | recipient not exist |
      recipient no longer | recipient … not recognized | recipient … not valid | recipient invalid | invalid recipient | invalid mailbox |
      invalid user | invalid address | invalid email | invalid account | invalid local | invalid final delivery | invalid domain |
      bad recipient | bad destination | bad address | bad mailbox | bad user | illegal user | illegal host | unknown or illegal |
      unknown account | unknown address | unknown mailbox | unknown local | unknown virtual | unknown in virtual | unknown alias |
      unknown email | unknown e mail | unknown domain | unknown host | mailbox unknown | mailbox not available | mailbox is unavailable |
      mailbox not found | mailbox … not found | mailbox … does not exist | mailbox … doesn't exist | mailbox … no longer |
      mailbox is invalid | mailbox invalid | destination mailbox | account not found | account … not found | account … does not exist |
      account … doesn't exist | account … no longer | account unknown | account … not exist | account closed | account … closed |
      account … deleted | account … terminated | account invalid | account … cancelled | address not found | address … not found |
      address … does not exist | address … doesn't exist | address … no longer | address unknown | address … is unknown |
      address … invalid | address invalid | address rejected | address error | address … couldn't be found | address … wasn't found |
      address is not valid | address not valid | address … not known | address … unknown | addressee unknown | addressee … not |
      domain … does not exist | domain … doesn't exist | domain not found | domain … not found | domain unknown |
      domain is not reachable | domain name … not found | host unknown | host not found | host host not found |
      host or domain name not found | dns lookup failure | no mx | no mail exchanger | not find a mail exchanger |
      couldn't find a mail exchanger | couldn't find any host | nullmx | null mx | doesn't accept mail | does not accept mail |
      does not receive | unrouteable address | unroutable address | unrouteable mail domain |
      all relevant mx records point to non existent | not listed in | has moved | moved to | no longer on server | no longer valid |
      no longer available | no longer in use | no longer active | no longer with | no longer employed | not exist |
      @ not found | @ does not exist | @ doesn't exist | @ … exist in my userdb | @ account is unknown | in name directory |
      has been replaced by | not a mailbox | user account is unavailable | no smtp service | nodename nor servname |
      no address associated | no data record of requested type | nxdomain | no mail server | domain is unknown | domain … couldn't be found |
      recipient cannot be found | recipient could not be found | recipient couldn't be found | user could not be found |
      mailbox could not be found | could not find recipient | could not find user | could not find mailbox | unable to find recipient |
      unable to find user | unable to find mailbox | mailbox for … not available | account removed | account has been removed |
      user deleted | user removed | user has been deleted | user has been removed | mailbox closed | mailbox deleted |
      mailbox has been closed | mailbox has been deleted | not in our directory | not in directory | not in the directory |
      not found in address book | wrong address | wrong user | wrong recipient | incorrect address | incorrect email |
      incorrect recipient | recipnotfound |
      undeliverable address | no longer accept | user … terminated | unrecognised o r name | unrecognized o r name | inexistent | nonexistent | non existent
    `),
  },
  { name: 'nobody is there, in another language', means: 'dead', phrases: foreignPhrases },
  {
    name: 'user unknown',
    means: 'dead',
    isGeneric: true,
    phrases: phrasesOf(`
      user unknown | user … unknown | unknown user | user not found | user doesn't have | no such user | mailbox unavailable | user is unknown
    `),
  },
]
