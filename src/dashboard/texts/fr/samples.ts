// Des e-mails pour commencer.
import {
  button,
  columns,
  divider,
  footer,
  heading,
  list,
  mail,
  paragraph,
  quote,
  spacer,
} from '../../editor/mail/build'
import type { Sample } from '../en/samples'

export const address = 'Votre entreprise · 1 rue de l’Exemple · 12345 Ville'
const below = footer(address)
const hello = paragraph('Bonjour {{firstName ?? "à tous"}},')
const site = 'https://example.com'

export const mayStay: readonly string[] = [
  'Ravis de vous compter parmi nous',
  'Lire la suite',
  'Commencer',
  'À bientôt',
  'Découvrir',
  'Pourquoi nous l’avons fait',
  'Vous êtes invités',
  'Quand',
  'Où',
  'Je viens',
  'Vous ne pouvez pas venir ?',
  'Dites-le-nous',
  'Vers la boutique',
  'Nouveau',
  'Mieux',
  'Tous les changements',
  'Posez vos questions.',
  'Cela prend une minute.',
  'Il suffit de répondre à cet e-mail.',
  'Des questions ? Il suffit de répondre à cet e-mail.',
]

export const samples: readonly Sample[] = [
  {
    id: 'blank',
    name: 'Vide',
    hint: 'Une feuille blanche avec votre adresse en bas',
    type: 'MARKETING',
    subject: 'Un mot de notre part',
    document: mail('', [heading('Un titre'), paragraph('Vos premiers mots.'), divider, below]),
  },
  {
    id: 'newsletter',
    name: 'Lettre d’information',
    hint: 'Quelques histoires, chacune avec un lien',
    type: 'MARKETING',
    subject: 'Ce qui s’est passé ce mois-ci',
    document: mail('Trois histoires, cinq minutes', [
      heading('Ce qui s’est passé ce mois-ci'),
      hello,
      paragraph('trois choses méritent votre temps aujourd’hui. Les voici en bref.'),
      divider,
      heading('La première histoire', 2),
      paragraph(
        'Dites en deux phrases ce qui est nouveau et pourquoi cela compte. Puis invitez à lire la suite.',
      ),
      button('Lire l’histoire', `${site}/first`),
      spacer(16),
      columns(
        [heading('La deuxième', 3), paragraph(`Quelque chose de court. [Lire la suite](${site}/second)`)],
        [heading('La troisième', 3), paragraph(`Plus court encore. [Lire la suite](${site}/third)`)],
      ),
      divider,
      below,
    ]),
  },
  {
    id: 'welcome',
    name: 'Bienvenue',
    hint: 'Le premier e-mail après une inscription',
    type: 'MARKETING',
    subject: 'Bienvenue, {{firstName ?? "et bonjour"}}',
    document: mail('Trois choses pour commencer', [
      heading('Ravis de vous compter parmi nous'),
      hello,
      paragraph('merci de votre inscription. Trois choses à essayer la première semaine :'),
      list(
        '**Créez quelque chose.** Cela prend une minute.',
        '**Invitez quelqu’un.** À deux, c’est plus agréable.',
        '**Posez vos questions.** Il suffit de répondre à cet e-mail.',
      ),
      button('Commencer', `${site}/start`),
      paragraph('À bientôt'),
      divider,
      below,
    ]),
  },
  {
    id: 'announcement',
    name: 'Annonce',
    hint: 'Une nouveauté',
    type: 'MARKETING',
    subject: 'Nouveau : dites ce que c’est',
    document: mail(
      'Ce que c’est, en une demi-phrase',
      [
        heading('Dites ce qui est nouveau', 1, { align: 'center' }),
        paragraph('Une phrase sur ce qu’on peut faire maintenant et qu’on ne pouvait pas faire hier.', {
          align: 'center',
        }),
        button('Découvrir', `${site}/new`, { align: 'center' }),
        spacer(8),
        divider,
        heading('Pourquoi nous l’avons fait', 3),
        paragraph('Deux ou trois phrases sur la raison. Mieux vaut court.'),
        below,
      ],
      { accent: '#1f6b4a' },
    ),
  },
  {
    id: 'event',
    name: 'Invitation',
    hint: 'Une date, un lieu et une réponse',
    type: 'MARKETING',
    subject: 'Vous êtes invités',
    document: mail('Jeudi à sept heures, en ville', [
      heading('Vous êtes invités'),
      hello,
      paragraph('nous serions heureux de vous voir à notre soirée.'),
      columns(
        [heading('Quand', 3), paragraph('Jeudi 12 mars, 19 h')],
        [heading('Où', 3), paragraph('1 rue de l’Exemple, Ville')],
      ),
      button('Je viens', `${site}/event`),
      paragraph(
        `Vous ne pouvez pas venir ? [Dites-le-nous](${site}/event/no), et quelqu’un d’autre aura votre place.`,
      ),
      divider,
      below,
    ]),
  },
  {
    id: 'offer',
    name: 'Offre',
    hint: 'Un prix, un bouton, une fin',
    type: 'MARKETING',
    subject: 'Jusqu’à dimanche : une offre discrète',
    document: mail(
      'Jusqu’à dimanche',
      [
        heading('Une offre discrète', 1, { align: 'center' }),
        paragraph('Jusqu’à dimanche, vous avez **un cinquième de remise** sur toute notre boutique.', {
          align: 'center',
        }),
        button('Vers la boutique', `${site}/shop`, { align: 'center', color: '#8a3b12' }),
        spacer(8),
        paragraph('La remise est appliquée automatiquement. Elle ne se cumule pas avec d’autres offres.', {
          align: 'center',
        }),
        divider,
        below,
      ],
      { accent: '#8a3b12', background: '#f6f1ec', font: 'serif' },
    ),
  },
  {
    id: 'digest',
    name: 'Nouveautés du produit',
    hint: 'Ce qui a changé, en liste',
    type: 'MARKETING',
    subject: 'Ce qui a changé en mars',
    document: mail('Des listes plus rapides, des e-mails plus calmes', [
      heading('Ce qui a changé en mars'),
      heading('Nouveau', 3),
      list('Les listes s’ouvrent deux fois plus vite.', 'Les e-mails peuvent s’écrire en blocs.'),
      heading('Mieux', 3),
      list('La recherche trouve des parties de mots.', 'Les écrans sombres ont des pages sombres.'),
      quote('« À elle seule, la recherche m’épargne dix minutes par jour. » Ada, qui l’a essayée d’abord'),
      button('Tous les changements', `${site}/changes`),
      divider,
      below,
    ]),
  },
  {
    id: 'receipt',
    name: 'Reçu',
    hint: 'Après un paiement, par votre programme',
    type: 'TRANSACTIONAL',
    subject: 'Votre reçu {{number}}',
    document: mail('Merci de votre paiement', [
      heading('Merci'),
      paragraph('Nous avons reçu votre paiement de **{{amount}}** pour la commande {{number}}.'),
      divider,
      columns([paragraph('Commande {{number}}')], [paragraph('{{amount}}', { align: 'right' })]),
      divider,
      button('Voir la commande', `${site}/orders/{{number}}`),
      below,
    ]),
  },
  {
    id: 'reset',
    name: 'Nouveau mot de passe',
    hint: 'Un lien que quelqu’un a demandé',
    type: 'TRANSACTIONAL',
    subject: 'Choisir un nouveau mot de passe',
    document: mail('Le lien est valable une heure', [
      heading('Choisir un nouveau mot de passe'),
      paragraph(
        'Quelqu’un, vous sans doute, a demandé un nouveau mot de passe. Le lien est valable une heure.',
      ),
      button('Le choisir', '{{resetUrl}}'),
      paragraph('Ce n’était pas vous ? Alors il n’y a rien à faire.'),
      below,
    ]),
  },
  {
    id: 'trial',
    name: 'Fin de l’essai',
    hint: 'Un rappel à temps, avec le choix d’une formule',
    type: 'MARKETING',
    subject: 'Votre essai se termine dans trois jours',
    document: mail('Gardez ce que vous avez fait', [
      heading('Encore trois jours'),
      hello,
      paragraph(
        'votre essai se termine vendredi. Gardez tout ce que vous avez fait en choisissant une formule.',
      ),
      columns(
        [heading('Équipe', 3), paragraph('9 € par mois'), button('Choisir Équipe', `${site}/plans/team`)],
        [
          heading('Entreprise', 3),
          paragraph('29 € par mois'),
          button('Choisir Entreprise', `${site}/plans/business`),
        ],
      ),
      divider,
      paragraph('Des questions ? Il suffit de répondre à cet e-mail.'),
      below,
    ]),
  },
]
