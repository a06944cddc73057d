// Addresses of web pages that people give us to link to.

/** `http` or `https`, and without a name and password. */
export function isWebAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { protocol, username } = new URL(address)
  return (protocol === 'http:' || protocol === 'https:') && username === ''
}
