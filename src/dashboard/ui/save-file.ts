// Hands a file to the browser as a download.

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves what the API answered as a file, under the name that it gave. The API's types say text, which is what it is without `parseAs`. */
export async function saveAnswer(asked: Promise<{ data?: unknown; response: Response }>): Promise<void> {
  const { data, response } = await asked
  saveFile(nameIn(response.headers.get('content-disposition') ?? ''), data as Blob)
}

function nameIn(disposition: string): string {
  const full = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return full ? decodeURIComponent(full) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? '')
}
