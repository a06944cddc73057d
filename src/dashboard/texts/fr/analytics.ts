// Des chiffres sur une période.
import type { Texts } from '..'

export const analytics: Texts['analytics'] = {
  title: 'Statistiques',
  about:
    'Les e-mails selon le jour de leur création, comparés à la période précédente. Les jours sont en UTC.',
  vs: before => `contre ${before}`,
  choose: 'Mesure',
  lines: {
    emails: 'E-mails',
    delivered: 'Délivrés',
    opens: 'Ouverts',
    clicks: 'Cliqués',
    bounces: 'Bounces',
    complaints: 'Plaintes pour spam',
    failed: 'Échecs',
  },
  rankedBy: 'Classées par',
  by: {
    opened: 'Les plus ouvertes',
    clicked: 'Les plus cliquées',
    sent: 'Les plus envoyées',
    delivered: 'Les mieux délivrées',
    bounced: 'Le plus de bounces',
    unsubscribed: 'Le plus de désabonnements',
  },
  sent: 'Envoyés',
  opened: 'Ouverts',
  clicked: 'Cliqués',
  change: 'Évolution',
  nothing: 'Aucun e-mail pendant cette période.',
}
