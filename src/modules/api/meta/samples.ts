// A request to the API as code, in the languages that most applications are written in. JSON is put into each of them as it is. Pure.

export const languages = ['curl', 'JavaScript', 'Python', 'PHP', 'Go', 'Ruby'] as const
export type Language = (typeof languages)[number]

export interface SampleRequest {
  url: string
  method: string
  key: string
  body?: unknown
}

export function sampleOf(language: Language, request: SampleRequest): string {
  const json = request.body === undefined ? undefined : JSON.stringify(request.body, null, 2)
  return writers[language](request, json)
}

type Writer = (request: SampleRequest, json: string | undefined) => string

const lines = (...parts: Array<string | undefined>): string =>
  parts.filter(part => part !== undefined).join('\n')

const writers: Record<Language, Writer> = {
  curl: ({ url, method, key }, json) => {
    const asks = method === (json === undefined ? 'GET' : 'POST') ? '' : `-X ${method} `
    const parts = [
      `curl ${asks}${url}`,
      `-H 'Authorization: Bearer ${key}'`,
      ...(json === undefined
        ? []
        : [`-H 'Content-Type: application/json'`, `-d '${json.replaceAll("'", String.raw`'\''`)}'`]),
    ]
    return parts.join(' \\\n  ')
  },
  JavaScript: ({ url, method, key }, json) =>
    lines(
      `const response = await fetch('${url}', {`,
      `  method: '${method}',`,
      `  headers: { Authorization: 'Bearer ${key}'${json === undefined ? '' : `, 'Content-Type': 'application/json'`} },`,
      json && `  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),`,
      '})',
      'console.log(await response.json())',
    ),
  Python: ({ url, method, key }, json) =>
    lines(
      'import requests',
      '',
      'response = requests.request(',
      `    '${method}', '${url}',`,
      `    headers={'Authorization': 'Bearer ${key}'${json === undefined ? '' : `, 'Content-Type': 'application/json'`}},`,
      json && `    data=r'''${json}'''.encode(),`,
      ')',
      'print(response.json())',
    ),
  PHP: ({ url, method, key }, json) =>
    lines(
      '<?php',
      json && `$body = <<<'JSON'\n${json}\nJSON;`,
      `$call = curl_init('${url}');`,
      'curl_setopt_array($call, [',
      `  CURLOPT_CUSTOMREQUEST => '${method}',`,
      '  CURLOPT_RETURNTRANSFER => true,',
      `  CURLOPT_HTTPHEADER => ['Authorization: Bearer ${key}'${json === undefined ? '' : `, 'Content-Type: application/json'`}],`,
      json && '  CURLOPT_POSTFIELDS => $body,',
      ']);',
      'echo curl_exec($call);',
    ),
  Go: ({ url, method, key }, json) =>
    lines(
      json ? `body := strings.NewReader(${goText(json)})` : undefined,
      `request, _ := http.NewRequest("${method}", "${url}", ${json ? 'body' : 'nil'})`,
      `request.Header.Set("Authorization", "Bearer ${key}")`,
      json && 'request.Header.Set("Content-Type", "application/json")',
      'response, err := http.DefaultClient.Do(request)',
      'if err != nil {\n\tlog.Fatal(err)\n}',
      'defer response.Body.Close()',
      'io.Copy(os.Stdout, response.Body)',
    ),
  Ruby: ({ url, method, key }, json) =>
    lines(
      "require 'net/http'",
      '',
      `uri = URI('${url}')`,
      `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri, 'Authorization' => 'Bearer ${key}'${json === undefined ? '' : `, 'Content-Type' => 'application/json'`})`,
      json && `request.body = <<~'JSON'\n${json.replace(/^/gm, '  ')}\nJSON`,
      "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
      'puts response.body',
    ),
}

/** Raw text has no escapes, and so no backtick in it. */
function goText(json: string): string {
  return json.includes('`') ? JSON.stringify(json) : `\`${json}\``
}
