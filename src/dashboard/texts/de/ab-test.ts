// A/B-Tests von Kampagnen.
import type { Texts } from '..'
import { contactsDative, formed } from './numbers'

export const abTest: Texts['campaigns']['abTest'] = {
  title: 'A/B-Test',
  use: 'A/B-Test durchführen',
  hint: 'Variante A ist diese E-Mail. Felder, die Sie in einer Variante leer lassen, sind wie in A.',
  variant: (name: string) => `Variante ${name}`,
  subject: 'Betreff',
  fromName: 'Absendername',
  content: 'Inhalt',
  asA: 'Wie in A',
  own: 'Eigenen Inhalt behalten',
  ofTemplate: (name: string) => `Aus der Vorlage ${name}`,
  add: 'Variante hinzufügen',
  remove: (name: string) => `Variante ${name} entfernen`,
  share: 'Testgruppe (%)',
  testGroup: (tested, all, isExact) =>
    `${isExact ? '' : 'Etwa '}${formed(tested)} von ${contactsDative(all)}`,
  afterHours: 'Testdauer (Stunden)',
  metric: 'Kriterium für den Gewinner',
  metrics: { CLICKS: 'Klicks', OPENS: 'Öffnungen' },
  confidence: 'Nötige Sicherheit (%)',
  otherwise: 'Wenn es keinen Gewinner gibt',
  fallbacks: { A: 'Variante A senden', WAIT: 'Auf meine Wahl warten' },
  best: (name: string, likely: string, ofMany: boolean) =>
    `Variante ${name} ist mit einer Wahrscheinlichkeit von ${likely} ${ofMany ? 'die beste' : 'besser'}.`,
  trying: 'Die Testgruppe bekommt die Varianten.',
  until: (moment: string) => `Alle anderen bekommen den Gewinner nach dem ${moment}.`,
  undecided: (wanted: string) =>
    `Keine Variante hat eine Sicherheit von ${wanted} erreicht. Wählen Sie eine.`,
  won: (name: string) => `Variante ${name} hat gewonnen. Alle anderen bekommen sie.`,
  chosen: (name: string) => `Variante ${name} wurde gewählt. Alle anderen bekommen sie.`,
  noneWon: 'Keine Variante hat gewonnen. Alle anderen bekommen Variante A.',
  named: (name: string, words: string) => `${name}: ${words}`,
  opened: (people: string, all: string) => `${people} von ${all} haben sie geöffnet`,
  clicked: (people: string, all: string) => `${people} von ${all} haben geklickt`,
  likely: (percent: string, ofMany: boolean) => `mit ${percent} ${ofMany ? 'die beste' : 'besser'}`,
  unsubscribed: (people: string) => `${people} abgemeldet`,
  column: 'Variante',
  anyVariant: 'Alle Varianten',
  choose: (name: string) => `Variante ${name} an alle anderen senden`,
  chooseHint:
    'Alle, denen noch keine Variante gesendet wurde, bekommen diese. Das lässt sich nicht rückgängig machen.',
}
