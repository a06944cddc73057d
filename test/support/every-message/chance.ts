// Texts and choices that look like chance and are the same for the same seed.

export interface Chance {
  /** 0 to below `end`. */
  below(end: number): number
  pick<T>(from: readonly T[]): T
  /** One time in `times`. */
  once(times: number): boolean
  bytes(length: number): Buffer
}

/** Mulberry32. */
export function makeChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    pick: from => from[below(from.length)]!,
    once: times => below(times) === 0,
    bytes: length => Buffer.from(Uint8Array.from({ length }, () => below(256))),
  }
}

const words: readonly string[][] = [
  'Order invoice from your week the meeting of hello new'.split(' '),
  'Grüße Rechnung über Größe Straße für Müller'.split(' '),
  'Καλημέρα παραγγελία στις ώρα'.split(' '),
  'Привет заказ счёт неделя ещё'.split(' '),
  'مرحبا طلب فاتورة أسبوع'.split(' '),
  'שלום הזמנה חשבונית'.split(' '),
  'नमस्ते आदेश चालान'.split(' '),
  'สวัสดี ใบแจ้งหนี้'.split(' '),
  ['您好', '订单', '发票', '这是一封很长的邮件标题没有空格'],
  ['こんにちは', 'ご注文', '請求書', 'とても長い件名ですがこれでも空白はありません'],
  ['안녕하세요', '주문', '청구서'],
  ['👩‍👩‍👧‍👦', '🎉', '🇩🇪', '𝒳', 'e\u0301', 'a\u0308\u0323'],
  [
    '"quoted"',
    'back\\slash',
    'a,b',
    '(c)',
    '<d>',
    '=?UTF-8?Q?x?=',
    '=20',
    'a;b',
    'x@y.example',
    '&amp;',
    "it's",
  ],
]

/** Words of one script or of several, `count` of them. */
export function phrase(chance: Chance, count: number): string {
  const script = chance.once(3) ? undefined : chance.pick(words)
  return Array.from({ length: count }, () => chance.pick(script ?? chance.pick(words))).join(' ')
}

/** One line of at most `most` characters, without blanks around it. */
export function lineOf(chance: Chance, most: number): string {
  const length = chance.pick([1, 2, 4, 8, 20, 60, 120])
  const text = chance.once(12)
    ? 'x'.repeat(chance.pick([75, 76, 77, 200, 899, 901, 998]))
    : phrase(chance, length)
  return text.slice(0, most).toWellFormed().replaceAll('\ufffd', '').trim()
}
