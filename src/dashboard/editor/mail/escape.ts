// Texts and addresses as written in HTML. Liquid in them stays Liquid: the server decodes its entities.

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

/** An address that is allowed in a mail; anything else, such as a script, leads nowhere. */
export function safeAddress(address: unknown): string {
  const text = typeof address === 'string' ? address.trim() : ''
  return /^(?:https?:|mailto:|tel:|#|\{\{)/i.test(text) ? text : ''
}

/** A placeholder; its fallback is used where a contact has no such value. */
export function placeholder(name: string, fallback = ''): string {
  const plain = name.replaceAll(/[{}<>"'|?%]/g, '').trim()
  if (!plain) return ''
  const words = fallback.replaceAll(/[{}"\\]/g, '')
  return words ? `{{${plain} ?? "${words}"}}` : `{{${plain}}}`
}
