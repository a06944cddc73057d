// Which of the bodies and answers that tests have seen become the examples of the OpenAPI document. Pure.

/** Of one operation and status; members are missing where there was nothing to show. */
export interface Example {
  request?: unknown
  response?: unknown
}

/** More than this helps no reader. */
const largest = 1_500

/** Whether `given` shows more than `known`: what is short enough first, then what has more members. */
export function isBetter(given: Example, known: Example): boolean {
  return worth(given) > worth(known)
}

function worth(example: Example): number {
  const length = Math.max(sizeOf(example.request), sizeOf(example.response))
  const foreign = hasOddText(example) ? 10_000 : 0
  // Where an operation answers with a page as well, its JSON is what can be shown.
  const answered = example.response === undefined ? 0 : 5_000
  if (length > largest) return answered + members(example.request) * 100 - length - foreign
  return answered + members(example.request) * 10 + members(example.response) - foreign
}

/** Text that shows what a test tries and not what people write. */
function hasOddText(example: Example): boolean {
  return /(.)\1{9}|\\[ur]|\\n.*\\n|<script|__|"conditions":|[^\x20-\x7E]/.test(JSON.stringify(example))
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length
}

/** Members with a value, at most two of each list. */
function members(value: unknown): number {
  if (Array.isArray(value)) return value.slice(0, 2).reduce((sum: number, each) => sum + members(each), 1)
  if (typeof value !== 'object') return value === undefined ? 0 : 1
  if (value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + members(each), 1)
}

/** Names and types of all members: two examples of the same shape say the same. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join('|')}]`
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${key}:${shapeOf(each)}`).join(',')}}`
}

/** Keys and secrets of the tests, replaced by what can't be taken for real ones. */
export function withoutSecrets<T>(value: T): T {
  const text = JSON.stringify(value) ?? 'null'
  const hidden = text
    .replaceAll(/\b(sk|pk|wk)_[0-9a-f]{8,}/g, '$1_0123456789abcdef')
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==')
  return JSON.parse(hidden) as T
}
