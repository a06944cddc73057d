// Layouts: was um die E-Mails eines Projekts steht.
import type { Texts } from '..'
import { count } from './numbers'

export const layouts: Texts['layouts'] = {
  title: 'Layouts',
  total: number => count(number, { one: '# Layout', other: '# Layouts' }),
  create: 'Neues Layout',
  description: 'Kopf, Fuß und Postanschrift, einmal gemacht und von vielen E-Mails benutzt.',
  empty: 'Noch keine Layouts',
  emptyHint:
    'Ein Layout ist, was Ihre E-Mails gemeinsam haben. Ändern Sie es einmal, und alle Vorlagen und Entwürfe darin sind geändert.',
  changed: 'Geändert',
  firstName: 'Hausstil',
  name: 'Name',
  source: 'HTML des Layouts',
  placeHint: 'Der Text jeder E-Mail kommt dorthin, wo {{ content }} steht.',
  uses: (templates, campaigns) =>
    templates + campaigns === 0
      ? 'Noch benutzt es nichts. Wählen Sie es in einer Vorlage oder Kampagne.'
      : `Benutzt von ${count(templates, { one: '# Vorlage', other: '# Vorlagen' })} und ${count(campaigns, { one: '# Kampagne', other: '# Kampagnen' })}, die noch nicht versendet sind. Was Sie hier speichern, zeigt sich in allen.`,
  deleteTitle: name => `${name} löschen`,
  deleteHint: uses =>
    uses > 0
      ? `${count(uses, { one: '# Vorlage oder Kampagne benutzt', other: '# Vorlagen und Kampagnen benutzen' })} es, also lässt es sich noch nicht löschen.`
      : 'Nichts benutzt es. Was darin versendet wurde, bleibt, wie es war.',
  sampleHeading: 'Eine Überschrift der E-Mail',
  sampleText:
    'Hier steht, was Sie in einer Vorlage oder Kampagne schreiben; alles darum herum kommt aus dem Layout.',
  sampleButton: 'Ein Knopf',
  address: 'Ihre Firma · Musterstraße 1 · 12345 Musterstadt',
  manage: 'Auswählen, was Sie erhalten, oder abmelden',
}
