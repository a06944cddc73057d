// The tables that grow without end and may be split by month, and the column of each whose ids begin with the time (UUID version 7): a
// range of ids is a range of time.

export interface MonthlyTable {
  name: string
  key: string
}

export const monthlyTables: readonly MonthlyTable[] = [
  { name: 'events', key: 'id' },
  { name: 'emails', key: 'id' },
  { name: 'email_attempts', key: 'email_id' },
]

/** What a partition is called after its table, and what its own indexes end in: everything before the months, a month, all after them. */
const ending = /_(?:first|rest|\d{4}_\d\d)$/

/** The name of the index or constraint of the whole table that one of a partition stands for. */
export function wholeName(name: string): string {
  return name.replace(ending, '')
}

/** A name as SQL writes it. */
export function asName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
