// The other side's words in forms that rules can be compared with. Nothing in a name may be taken for a word: `no-spam@`, `relay.example`.

const maxLength = 4_000

/** In lower case, on one line, with plain apostrophes. */
export function saidText(words: string): string {
  return words
    .slice(0, maxLength)
    .toLowerCase()
    .replace(/[\u2018\u2019\u00b4`]/g, "'")
    .replace(/\s+/g, ' ')
}

/** Words alone: addresses, names of hosts and paths of links are left out; what stands between words is one blank. */
export function comparable(words: string): string {
  const bare = saidText(words)
    // What comes behind says why.
    .replace(/recipient address rejected: (?=\S)/, ' ')
    // Some write it without a blank behind an address.
    .replaceAll('...', ' ')
    .split(/[ "\\,{}()[\]<>]/)
    .map(word => (word.includes('@') || word.length > maxWordLength ? '@' : bareWord(word)))
    .join(' ')
  return ` ${bare.replace(/[^\p{L}\p{M}\p{N}'@.]+/gu, ' ').trim()} `
}

const maxWordLength = 100

/** Lists of senders are known by their names, also inside of a link. */
const lists =
  /spamhaus|spamcop|sorbs|barracuda|uribl|surbl|dnsbl|rbl|block(?:ed|list)|blacklist|senderscore|invaluement/

function bareWord(word: string): string {
  const isName = word.includes('://') || /^[^a-z0-9]{0,3}[a-z0-9-]+\.[a-z0-9-]+/.test(word)
  if (!isName || /^[^a-z0-9]{0,3}\d\.\d{1,3}\.\d/.test(word)) return word
  const host = word.includes('://') ? word.slice(word.indexOf('://') + 3).split('/', 1)[0]! : word
  const [list] = lists.exec(host) ?? []
  return list ?? 'host'
}
