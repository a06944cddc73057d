// What servers say of recipients who are not there, and what sounds like it and speaks of the sender or of a moment.
import { expect, test } from 'bun:test'
import { judge } from '../../../../src/mail/bounces'

const linesOf = (text: string): string[] => text.trim().split('\n')

const dead = linesOf(`
550 <ada@x.example> not found
550 ada@x.example does not exist
550 rcpt (ada@x.example) doesn't exist in my userdb
550 Recipient ada@x.example was not found in LDAP server
550 no ada@x.example in name directory
550 ada@x.example...User unknown
550 ada@x.example...User account is unavailable
550 ada@x.example account is unknown
550 ada@x.example has been replaced by bob@x.example
550 Not a mailbox
an MX or SRV record indicated no SMTP service
unable to look up host x.example: No address associated with hostname
unable to look up host x.example: nodename nor servname provided, or not known
Name service error for name=x.example type=A: Host found but no data record of requested type
x.example: NXDOMAIN
Domain x.example has no mail server
The following message could not be delivered because the domain is unknown
Your message wasn't delivered because the domain x.example couldn't be found.
The recipient cannot be found
550 user could not be found
550 could not find recipient
550 unable to find mailbox
550 mailbox for ada@x.example is not available
550 account removed
550 user has been deleted
550 mailbox closed
550 Recipient not in our directory
550 not found in address book
550 wrong address
550 incorrect email address
550 Kein Postfach unter dieser Adresse
550 Kein solcher Benutzer
550 Dieser Benutzer ada ist unbekannt: Mailbox unbekannt
550 weil die Adresse nicht gefunden wurde
550 Empfängeradresse wurde nicht gefunden
550 L'adresse est introuvable
550 indirizzo non valido
550 la casella non esiste
550 no se ha encontrado el destinatario
550 caixa postal não encontrada
550 nie znaleziono
550 нет такого пользователя
550 找不到收件人
550 无效的收件人
550 無此帳號
550 kullanici bulunamadi
`)

const alive = linesOf(`
550 reply-to address invalid
550 return address does not exist
550 5.1.0 originator address unknown
550 Originator mailbox does not exist
550 sending domain does not exist
550 5.7.1 invalid From domain not found
550 5.7.1 selector does not exist
550 Absender ist unbekannt
550 expéditeur inconnu
550 remitente desconocido, no existe
550 mittente sconosciuto
550 5.7.1 list does not exist for you, members only
550 you are not a member of this list
550 5.2.1 Recipient is on vacation
550 Due to extended inactivity new mail is not currently being accepted for this mailbox.
Router: Unable to open mailbox file mail.box: File does not exist
550 5.2.1 mailbox disabled, not accepting messages
550 recipient rejected: temporarily inactive
550 5.7.1 Message rejected due to user rules
550 You have been blocked by the recipient
550 No SPF record found, domain does not exist
554 5.7.1 Helo command rejected: Host not found
550 mailbox unavailable: quota exceeded
552 5.1.1 mailbox full, no such user
550 rejected because your domain has no MX record
550 Sender callout: no such user
450 4.2.0 user unknown
`)

test.each(dead)('nobody is there: %s', words => {
  expect(judge({ at: 'rcpt', words }).meaning).toBe('dead')
})

test.each(alive)('says nothing against the address: %s', words => {
  expect(judge({ at: 'rcpt', words }).meaning).not.toBe('dead')
})
