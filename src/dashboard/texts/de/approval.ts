// Freigabe durch ein zweites Mitglied, und was zu sehen ist, wenn eine Rolle nicht senden darf.
import type { Texts } from '..'
import { count } from './numbers'

export const approval: Texts['approval'] = {
  notYou: 'Mit Ihrer Rolle können Sie nicht senden. Fragen Sie Inhaber, Admins oder Mitglieder.',
  someone: 'einem früheren Mitglied',
  request: 'Freigabe anfragen',
  requested: 'Freigabe angefragt',
  hint: 'Ein anderes Mitglied, das senden darf, gibt die Kampagne frei, wie sie jetzt ist. Jede Änderung beendet die Freigabe.',
  requestedBy: (email, when) => `Am ${when} von ${email} zur Freigabe vorgelegt.`,
  requestedByYou: when =>
    `Sie haben am ${when} um Freigabe gebeten. Ein anderes Mitglied, das senden darf, entscheidet.`,
  covers: (recipients, when) =>
    `Für ${count(recipients, { one: '# Empfänger', other: '# Empfänger' })}, Versand ${when ? `am ${when}` : 'sofort'}.`,
  approve: 'Freigeben',
  approved: 'Kampagne freigegeben',
  approvedBy: (email, when) => `Am ${when} von ${email} freigegeben.`,
  approvedFor: (email, when) =>
    `Von ${email} für den Versand ${when ? `am ${when}` : 'sofort'} freigegeben. Bitten Sie für einen anderen Sendezeitpunkt erneut um Freigabe.`,
  chooseApproved: when => (when ? 'Freigegebenen Zeitpunkt wählen' : '„Jetzt“ wählen'),
  older: 'Die Kampagne, ihr Layout oder die Marke wurde geändert, nachdem Sie diese Seite geöffnet haben.',
  showNew: 'Neue Fassung anzeigen',
  proveFirst: 'Bestätigen Sie zuerst in Ihrem Profil Ihre E-Mail-Adresse, um freizugeben.',
  decline: 'Ablehnen',
  declined: 'Freigabe abgelehnt',
  declineTitle: 'Freigabe ablehnen?',
  declineHint: 'Die Kampagne bleibt ein Entwurf. Ihre Begründung ist auf der Seite der Kampagne zu lesen.',
  reason: 'Begründung',
  declinedBy: email => `Abgelehnt von ${email}.`,
  ended: fault =>
    fault === 'moreRecipients'
      ? 'Die Freigabe gilt nicht mehr, weil die Zielgruppe gewachsen ist. Bitten Sie erneut um Freigabe.'
      : fault === 'otherTime'
        ? 'Die Freigabe galt für einen anderen Sendezeitpunkt. Bitten Sie erneut um Freigabe.'
        : 'Die Freigabe gilt nicht mehr, weil sich die Kampagne, ihr Layout, die Marke oder ein Segment geändert hat. Bitten Sie erneut um Freigabe.',
  waits: name => `„${name}“ wartet auf Freigabe`,
  waitsHint: email => `Angefragt von ${email}.`,
  review: 'Prüfen',
  rule: {
    title: 'Freigabe vor dem Senden',
    hint: 'Ein zweites Mitglied gibt jede Kampagne frei, auch die von Inhabern und über die API. Niemand gibt die eigene Anfrage frei.',
    on: 'Erforderlich',
    off: 'Nicht erforderlich',
    turnOn: 'Freigabe verlangen',
    turnOff: 'Ausschalten',
    ownerOnly: 'Nur der Inhaber kann das ausschalten.',
    tooFew: 'Laden Sie ein zweites Mitglied ein, das senden darf, um das einzuschalten.',
  },
}
