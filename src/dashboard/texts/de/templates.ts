// Vorlagen: alle, und eine.
import type { Texts } from '..'
import { count } from './numbers'

export const templates: Texts['templates'] = {
  title: 'Vorlagen',
  total: number => count(number, { one: '# Vorlage', other: '# Vorlagen' }),
  create: 'Neue Vorlage',
  beginHint: 'Beginnen Sie mit einer E-Mail, die schon fast passt, oder mit einem leeren Blatt.',
  anyType: 'Jede Art',
  empty: 'Noch keine Vorlagen',
  emptyHint:
    'Eine Vorlage ist eine Nachricht, die immer wieder versendet wird: von Ihrem Programm, einem Workflow oder einer Kampagne.',
  nothing: 'Keine Vorlage passt',
  nothingHint: 'Suchen Sie nach einem kürzeren Teil des Namens oder wählen Sie „Jede Art“.',
  deleteHint: (steps, forms) =>
    steps > 0
      ? `${count(steps, { one: '# Schritt eines Workflows verwendet', other: '# Schritte von Workflows verwenden' })} sie, deshalb lässt sie sich noch nicht löschen.`
      : `Damit versendete Nachrichten bleiben im Protokoll. Ihr Programm kann sie nicht mehr verwenden.${forms > 0 ? ` ${count(forms, { one: '# Formular verschickt damit seine Bestätigung', other: '# Formulare verschicken damit ihre Bestätigung' })}; stattdessen geht dann ein schlichter Brief von uns raus.` : ''}`,
}
