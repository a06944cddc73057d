// What a cell means in a column of a type, so that values are shown as they will be stored; and which type a column most likely has. The rules
// are the server's (import-types.ts and consent-words.ts of its module contacts). The dashboard imports nothing from the server, so this is a
// copy, and test/unit/contacts/import-types.test.ts fails when the two differ.

export const cellTypes = [
  'text',
  'number',
  'numberComma',
  'boolean',
  'date',
  'dateDayFirst',
  'dateMonthFirst',
] as const
export type CellType = (typeof cellTypes)[number]
export type FieldKind = 'string' | 'number' | 'boolean' | 'date'

export function fieldKindOf(type: CellType): FieldKind {
  if (type.startsWith('number')) return 'number'
  if (type.startsWith('date')) return 'date'
  return type === 'boolean' ? 'boolean' : 'string'
}

/** The value, or undefined where the cell is not of that type. */
export function readCell(text: string, type: CellType): string | number | boolean | undefined {
  switch (type) {
    case 'text':
      return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
    case 'number':
      return readNumber(text, ',', '.')
    case 'numberComma':
      return readNumber(text, '.', ',')
    case 'boolean':
      return yesNoWords.get(text.trim().normalize('NFC').toLowerCase())
    case 'date':
      return readIsoDate(text)
    case 'dateDayFirst':
      return readWrittenDate(text, 'day') ?? readIsoDate(text)
    case 'dateMonthFirst':
      return readWrittenDate(text, 'month') ?? readIsoDate(text)
  }
}

const yes =
  'true 1 yes subscribed ja wahr oui vrai sí si verdadero sì vero waar sim verdadeiro tak prawda ano pravda sant ie gwir да истина हाँ हां はい 是'
const no =
  'false 0 no nein falsch non faux falso nee onwaar não nao nie fałsz ne nepravda nej falskt nage ffug не лъжа नहीं いいえ 否'
export const yesNoWords: ReadonlyMap<string, boolean> = new Map([
  ...yes.split(' ').map((word): [string, boolean] => [word.normalize('NFC'), true]),
  ...no.split(' ').map((word): [string, boolean] => [word.normalize('NFC'), false]),
])

function readNumber(text: string, group: string, point: string): number | undefined {
  const bare = text.replaceAll(/[\s\u00a0\u202f'’]/g, '').replace(/^[€$£]|[€$£%]$/g, '')
  const sign = /^[-+−]/.exec(bare)?.[0] ?? ''
  const [whole = '', fraction, ...more] = bare.slice(sign.length).split(point)
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  const groups = whole.split(group)
  if (
    groups.length > 1 &&
    !(/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every(each => /^\d{3}$/.test(each)))
  )
    return undefined
  const digits = groups.join('')
  if (!/^\d+$/.test(digits) || digits.length + (fraction?.length ?? 0) > 15) return undefined
  return Number(
    `${sign === '-' || sign === '−' ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`,
  )
}

const timePattern = '(?:[T ,]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.]\\d{1,6})?)?)?'
const isoDate = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${timePattern}(?:Z|[+]00:?00)?$`)
const writtenDate = new RegExp(`^(\\d{1,2})[-/.] ?(\\d{1,2})[-/.] ?(\\d{4}|\\d{2})${timePattern}$`)

function readIsoDate(text: string): string | undefined {
  const found = isoDate.exec(text)
  return found ? dateOf(Number(found[1]), Number(found[2]), Number(found[3]), found.slice(4)) : undefined
}

function readWrittenDate(text: string, first: 'day' | 'month'): string | undefined {
  const found = writtenDate.exec(text)
  if (!found) return undefined
  const [one, two, written] = [Number(found[1]), Number(found[2]), found[3]!]
  const year = written.length === 4 ? Number(written) : Number(written) + (Number(written) < 70 ? 2000 : 1900)
  const [month, day] = first === 'day' ? [two, one] : [one, two]
  return dateOf(year, month, day, found.slice(4))
}

function dateOf(
  year: number,
  month: number,
  day: number,
  [hours, minutes, seconds = '00']: readonly (string | undefined)[],
): string | undefined {
  const padded = (value: number | string): string => String(value).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${padded(month)}-${padded(day)}`
  const stored = hours === undefined ? date : `${date}T${padded(hours)}:${minutes}:${seconds}Z`
  const moment = new Date(stored)
  if (Number.isNaN(moment.getTime()) || moment.getUTCDate() !== day) return undefined
  return stored
}

/** Headings of columns whose numbers are codes, such as ZIP codes and phone numbers, and stay text. */
const codes = /zip|plz|post|phone|tel|mobil|handy|fax|iban|code|(^|[ _-])(nr|no|id|nummer|number)\.?$/i

/** The share of cells that makes a type likely; the others are then named. */
const enough = 0.75

/** The type of a column by its first cells; `prefersComma` and `prefersMonth` decide where both readings are right. */
export function typeOfColumn(
  name: string,
  cells: readonly string[],
  { prefersComma, prefersMonth }: { prefersComma: boolean; prefersMonth: boolean },
): CellType {
  const filled = cells.filter(cell => cell !== '')
  if (filled.length === 0) return 'text'
  const needed = filled.length * enough
  const fits = (type: CellType): boolean =>
    filled.filter(cell => readCell(cell, type) !== undefined).length >= needed
  const isCount = !codes.test(name) && filled.every(cell => !/^[+0]\d/.test(cell) && cell.length < 20)
  const numbers: CellType[] = prefersComma ? ['numberComma', 'number'] : ['number', 'numberComma']
  const dates: CellType[] = prefersMonth
    ? ['dateMonthFirst', 'dateDayFirst']
    : ['dateDayFirst', 'dateMonthFirst']
  const order: CellType[] = [...(isCount ? numbers : []), 'boolean', 'date', ...dates]
  return order.find(fits) ?? 'text'
}

/** The words by which columns of other programs and languages call what templates and forms here call by one name. */
const usualNames: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  [
    'firstName',
    /^(first|given|fore)[ _-]?name$|^f[ _-]?name$|^vorname$|^prénom$|^prenom$|^nombre$|^voornaam$|^imię$|^nome$/i,
  ],
  [
    'lastName',
    /^(last|family|sur)[ _-]?name$|^l[ _-]?name$|^nachname$|^familienname$|^nom( de famille)?$|^apellidos?$|^achternaam$|^nazwisko$|^cognome$/i,
  ],
  ['name', /^(full|display)[ _-]?name$|^name$|^nom complet$|^vollständiger name$/i],
  [
    'company',
    /^company([ _-]?name)?$|^firma$|^unternehmen$|^organi[sz]ation$|^société$|^entreprise$|^empresa$/i,
  ],
  ['city', /^city$|^town$|^stadt$|^ort$|^wohnort$|^ville$|^ciudad$/i],
  ['country', /^country$|^land$|^pays$|^país$/i],
  ['phone', /^phone([ _-]?number)?$|^telefon(nummer)?$|^téléphone$|^telephone$|^mobile$/i],
  ['zip', /^zip([ _-]?code)?$|^postal[ _-]?code$|^plz$|^postleitzahl$|^code postal$/i],
]

/** The field that a column most likely is: one of the project's with its name, or the usual name for it. */
export function fieldNameOf(heading: string, known: ReadonlySet<string>): string {
  const name = heading.trim()
  if (known.has(name)) return name
  return usualNames.find(([, pattern]) => pattern.test(name))?.[0] ?? name
}
