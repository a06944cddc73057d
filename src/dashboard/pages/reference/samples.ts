// One request in several languages, using only what comes with each, so that nothing has to be installed first.

export const sampleLanguages = [
  { name: 'curl', label: 'curl' },
  { name: 'javascript', label: 'JavaScript' },
  { name: 'python', label: 'Python' },
  { name: 'php', label: 'PHP' },
  { name: 'go', label: 'Go' },
  { name: 'ruby', label: 'Ruby' },
] as const

export type SampleLanguage = (typeof sampleLanguages)[number]['name']

interface Sending {
  url: string
  key: string
  from: string
}

/** A complete program, except for the surrounding main function in Go. */
export function sampleOf(language: SampleLanguage, sending: Sending): string {
  return samples[language](sending)
}

const subject = 'Hello from Waxwing'
const html = '<p>It works.</p>'
const to = 'ada@example.com'

const bodyOf = ({ from }: Sending): string => JSON.stringify({ from, to, subject, body: html })

const samples: Record<SampleLanguage, (sending: Sending) => string> = {
  curl: sending => `curl ${sending.url} \\
  -H 'Authorization: Bearer ${sending.key}' \\
  -H 'Content-Type: application/json' \\
  -d '${bodyOf(sending)}'`,

  javascript: ({ url, key, from }) => `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    from: '${from}',
    to: '${to}',
    subject: '${subject}',
    body: '${html}',
  }),
})
console.log(await response.json())`,

  python: ({ url, key, from }) => `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({
        "from": "${from}",
        "to": "${to}",
        "subject": "${subject}",
        "body": "${html}",
    }).encode(),
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
    },
)
print(urllib.request.urlopen(request).read().decode())`,

  php: ({ url, key, from }) => `<?php
$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ${key}',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'from' => '${from}',
        'to' => '${to}',
        'subject' => '${subject}',
        'body' => '${html}',
    ]),
]);
echo curl_exec($request);`,

  go: sending => `body := strings.NewReader(\`${bodyOf(sending)}\`)
request, _ := http.NewRequest("POST", "${sending.url}", body)
request.Header.Set("Authorization", "Bearer ${sending.key}")
request.Header.Set("Content-Type", "application/json")
response, err := http.DefaultClient.Do(request)
if err != nil {
    log.Fatal(err)
}
defer response.Body.Close()
io.Copy(os.Stdout, response.Body)`,

  ruby: ({ url, key, from }) => `require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI('${url}'),
  {
    from: '${from}',
    to: '${to}',
    subject: '${subject}',
    body: '${html}'
  }.to_json,
  'Authorization' => 'Bearer ${key}',
  'Content-Type' => 'application/json'
)
puts response.body`,
}

export interface Submission {
  host: string
  port: number
  /** Whether TLS begins with the first byte, instead of by STARTTLS. */
  isSecure: boolean
  key: string
  from: string
}

/** The server ignores it, but programs insist on one. */
export const smtpUser = 'waxwing'

/** A command line for trying it: swaks stands for any program that speaks SMTP. */
export function smtpSampleOf({ host, port, isSecure, key, from }: Submission): string {
  return `swaks --server ${host}:${port} ${isSecure ? '--tls-on-connect' : '--tls'} \\
  --auth PLAIN --auth-user ${smtpUser} --auth-password '${key}' \\
  --from ${from} --to ${to} \\
  --header 'Subject: ${subject}' --body 'It works.'`
}
