// Layouts: was die E-Mails eines Projekts umgibt.
import type { Texts } from '..'
import { count } from './numbers'

export const layouts: Texts['layouts'] = {
  title: 'Layouts',
  total: number => count(number, { one: '# Layout', other: '# Layouts' }),
  create: 'Neues Layout',
  description: 'Kopf, Fuß und Postanschrift, einmal angelegt und von vielen E-Mails benutzt.',
  empty: 'Noch keine Layouts',
  emptyHint:
    'Ein Layout ist, was Ihre E-Mails gemeinsam haben. Ändern Sie es einmal, und alle Vorlagen und Entwürfe darin sind geändert.',
  changed: 'Geändert',
  firstName: 'Hausstil',
  source: 'HTML des Layouts',
  placeHint: 'Der Text jeder E-Mail kommt dorthin, wo {{content}} steht.',
  unused: 'Noch benutzt es nichts. Wählen Sie es in einer Vorlage oder Kampagne.',
  uses: (templates, campaigns) => {
    const users = [
      templates > 0 && count(templates, { one: '# Vorlage', other: '# Vorlagen' }),
      campaigns > 0 &&
        count(campaigns, { one: '# nicht versendeten Kampagne', other: '# nicht versendeten Kampagnen' }),
    ]
    return `Benutzt von ${users.filter(Boolean).join(' und ')}. Was Sie hier speichern, zeigt sich überall dort.`
  },
  deleteHint: uses =>
    uses > 0
      ? `${count(uses, { one: '# Vorlage oder Kampagne benutzt', other: '# Vorlagen und Kampagnen benutzen' })} es, deshalb lässt es sich noch nicht löschen.`
      : 'Nichts benutzt es. Was darin versendet wurde, bleibt, wie es war.',
  sampleHeading: 'Eine Überschrift der E-Mail',
  sampleText:
    'Hier steht, was Sie in einer Vorlage oder Kampagne schreiben; alles darum herum kommt aus dem Layout.',
  sampleMore: 'Termine, Preise, ein Bild: worum es in der E-Mail geht.',
  sampleButton: 'Eine Schaltfläche',
  toSource: 'Als HTML bearbeiten',
  toSourceHint:
    'Das Layout wird zu HTML, aus dem keine Blöcke mehr werden. Solange die Seite offen ist, bringt „Rückgängig“ sie zurück.',
  sampleFrom: 'Ihr Unternehmen',
}
