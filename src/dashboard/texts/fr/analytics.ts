// Des chiffres sur une période.
import type { Texts } from '..'

export const analytics: Texts['analytics'] = {
  title: 'Statistiques',
  about:
    'Les e-mails selon le jour de leur création, comparés à la période précédente. Les jours sont en UTC.',
  vs: before => `contre ${before}`,
  choose: 'Ce que montrent les lignes',
  lines: {
    emails: 'E-mails',
    delivered: 'Remis',
    opens: 'Ouverts',
    clicks: 'Cliqués',
    bounces: 'Rejetés',
    complaints: 'Plaintes',
    failed: 'Échecs',
  },
  rankedBy: 'Classées par',
  by: {
    opened: 'Les plus ouvertes',
    clicked: 'Les plus cliquées',
    sent: 'Les plus envoyées',
    delivered: 'Les plus remises',
    bounced: 'Les plus rejetées',
    unsubscribed: 'Le plus de désabonnements',
  },
  sent: 'Envoyés',
  opened: 'Ouverts',
  clicked: 'Cliqués',
  change: 'Évolution',
  nothing: 'Rien pendant cette période.',
}
