// The first layout: a sheet with the name above, and the postal address and the preferences link below.
import { escapeText } from '../../editor/mail/escape'
import { mailHead } from '../../editor/mail/head'

interface StarterWords {
  /** The language that they are in. */
  language: string
  company: string
  address: string
  manage: string
}

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
const table = 'role="presentation" border="0" cellpadding="0" cellspacing="0"'

const styles = `.sheet p { margin: 0 0 16px 0; }
.sheet img { max-width: 100%; height: auto; }
@media (max-width: 520px) {
.pad { padding: 24px 20px 8px 20px !important; }
}
@media (prefers-color-scheme: dark) {
.ground { background-color: #151413 !important; }
.sheet { background-color: #201e1c !important; }
.sheet, .ink { color: #ece8e4 !important; }
.quiet, .quiet a { color: #a59d95 !important; }
.line { border-color: #45413c !important; }
}`

export function starterLayout({ language, company, address, manage }: StarterWords): string {
  return `${mailHead(language, styles)}
<body class="ground" style="margin:0;padding:0;background-color:#f4f3f1;">
<table ${table} width="100%" class="ground" bgcolor="#f4f3f1" style="width:100%;background-color:#f4f3f1;">
<tr><td align="center" style="padding:24px 12px 8px 12px;">
<table ${table} width="600" style="width:100%;max-width:600px;">

<!-- The header: your name, or a picture of it -->
<tr><td class="ink" align="center" style="padding:8px 20px 24px 20px;${font}font-size:20px;line-height:28px;font-weight:700;color:#24211e;">
${escapeText(company)}
</td></tr>

<!-- What is written in a template or campaign -->
<tr><td class="sheet pad" bgcolor="#ffffff" style="background-color:#ffffff;padding:32px 32px 16px 32px;${font}font-size:16px;line-height:25px;color:#24211e;">
{{ content }}
</td></tr>

<!-- The footer: your postal address, and the way to fewer mails -->
<tr><td class="quiet" align="center" style="padding:24px 20px 8px 20px;${font}font-size:12px;line-height:18px;color:#6b6560;">
${escapeText(address)}<br>
<a href="{{manageUrl}}" style="color:#6b6560;text-decoration:underline;">${escapeText(manage)}</a>
</td></tr>

</table>
</td></tr>
</table>
</body>
</html>
`
}
