// Character references of HTML: numbers, and the names that mails use (Latin-1, punctuation, currency, arrows).

const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const others: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  euro: '€',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  horbar: '―',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  bull: '•',
  dagger: '†',
  Dagger: '‡',
  permil: '‰',
  trade: '™',
  prime: '′',
  Prime: '″',
  oline: '‾',
  minus: '−',
  infin: '∞',
  ne: '≠',
  le: '≤',
  ge: '≥',
  asymp: '≈',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  rArr: '⇒',
  check: '✓',
  star: '☆',
  starf: '★',
  hearts: '♥',
  phone: '☎',
  oelig: 'œ',
  OElig: 'Œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  fnof: 'ƒ',
  circ: 'ˆ',
  tilde: '˜',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  hairsp: '\u200a',
  NewLine: '\n',
  Tab: '\t',
  colon: ':',
  comma: ',',
  period: '.',
  excl: '!',
  quest: '?',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  sol: '/',
  bsol: '\\',
  lsqb: '[',
  rsqb: ']',
  lcub: '{',
  rcub: '}',
  lowbar: '_',
  commat: '@',
  semi: ';',
  equals: '=',
}

const names = new Map([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...Object.entries(others),
])

/** Replaces the references that are known and leaves the others as they are. */
export function decodeHtmlEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,11}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return names.get(name) ?? whole
      return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
    },
  )
}

/** Surrogates, zero and what lies beyond Unicode have no character. */
function character(code: number): string {
  const exists = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return exists ? String.fromCodePoint(code) : '\ufffd'
}
