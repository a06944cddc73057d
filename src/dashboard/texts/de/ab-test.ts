// A/B tests of campaigns.
import type { Texts } from '..'
import { contactsDative, formed } from './numbers'

export const abTest: Texts['campaigns']['abTest'] = {
  title: 'A/B-Test',
  use: 'Varianten zuerst bei einem Teil der Empfänger ausprobieren',
  hint: 'Variante A ist die Nachricht, wie sie ist. Was eine Variante leer lässt, ist wie in A.',
  variant: (name: string) => `Variante ${name}`,
  subject: 'Betreff',
  fromName: 'Name des Absenders',
  content: 'Inhalt',
  asA: 'Wie in A',
  own: 'Eigener, unverändert',
  ofTemplate: (name: string) => `Aus der Vorlage ${name}`,
  add: 'Weitere Variante',
  remove: (name: string) => `Variante ${name} entfernen`,
  share: 'Anteil der Empfänger, Prozent',
  testGroup: (tested, all, isExact) =>
    `${isExact ? '' : 'Etwa '}${formed(tested)} von ${contactsDative(all)}`,
  afterHours: 'Stunden bis zur Entscheidung',
  metric: 'Die beste hat mehr',
  metrics: { CLICKS: 'Klicks', OPENS: 'Öffnungen' },
  confidence: 'Nötige Sicherheit, Prozent',
  otherwise: 'Wenn keine sie erreicht',
  fallbacks: { A: 'bekommen die anderen A', WAIT: 'warten sie, bis jemand wählt' },
  best: (name: string, likely: string, ofMany: boolean) =>
    `${name} ist mit einer Wahrscheinlichkeit von ${likely} ${ofMany ? 'die beste' : 'besser'}.`,
  trying: 'Die Varianten werden gerade bei einem Teil der Empfänger ausprobiert.',
  until: (moment: string) => `Die anderen bekommen ihre nach dem ${moment}.`,
  undecided: (wanted: string) => `Keine erreicht ${wanted}: Wählen Sie, welche die anderen bekommen.`,
  won: (name: string) => `${name} hat gewonnen, und die anderen bekommen sie.`,
  chosen: (name: string) => `${name} wurde gewählt, und die anderen bekommen sie.`,
  noneWon: 'Keine hat gewonnen, und die anderen bekommen A.',
  named: (name: string, words: string) => `${name}: ${words}`,
  opened: (people: string, all: string) => `${people} von ${all} haben sie geöffnet`,
  clicked: (people: string, all: string) => `${people} von ${all} haben geklickt`,
  likely: (percent: string, ofMany: boolean) => `mit ${percent} ${ofMany ? 'die beste' : 'besser'}`,
  unsubscribed: (people: string) => `${people} abgemeldet`,
  column: 'Variante',
  anyVariant: 'Alle Varianten',
  choose: (name: string) => `Den anderen ${name} geben`,
  chooseHint:
    'Alle, die noch keine Nachricht haben, bekommen von jetzt an diese Variante. Das lässt sich nicht ändern.',
}
