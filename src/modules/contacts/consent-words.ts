// What a cell of the column `subscribed` says. A word that nobody knows is no "no" and no "yes": taken for either, it would write to
// people who said no, or lose those who said yes. Pure.

const yes = [
  ...['true', '1', 'yes', 'subscribed'],
  // The languages of the hosted pages: yes, and what their spreadsheets write for true.
  ...['ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'verdadero', 'sì', 'vero', 'waar', 'sim', 'verdadeiro'],
  ...['tak', 'prawda', 'ano', 'pravda', 'sant', 'ie', 'gwir', 'да', 'истина', 'हाँ', 'हां', 'はい', '是'],
]
const no = [
  ...['false', '0', 'no', 'unsubscribed'],
  ...['nein', 'falsch', 'non', 'faux', 'falso', 'nee', 'onwaar', 'não', 'nao'],
  ...['nie', 'fałsz', 'ne', 'nepravda', 'nej', 'falskt', 'nage', 'ffug', 'не', 'лъжа', 'नहीं', 'いいえ', '否'],
]
const meanings: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((word): [string, boolean] => [fold(word), true]),
  ...no.map((word): [string, boolean] => [fold(word), false]),
])

function fold(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/** Undefined where the cell is empty: nothing is said. */
export function readConsent(text: string): { subscribed: boolean | undefined } | { fault: string } {
  const word = fold(text)
  if (word === '') return { subscribed: undefined }
  const subscribed = meanings.get(word)
  if (subscribed !== undefined) return { subscribed }
  return { fault: `subscribed: ${JSON.stringify(text.slice(0, 40).toWellFormed())} is neither yes nor no` }
}
