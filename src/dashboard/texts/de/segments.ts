// Segmente: alle, eines, eines bauen, und Listen von Hand.
import type { Texts } from '..'
import { addressesOf, contactsOf, count, formed } from './numbers'

export const segments: Texts['segments'] = {
  title: 'Segmente',
  about: 'Mengen von Kontakten, auf die sich Kampagnen, Workflows und andere Segmente beziehen.',
  create: 'Neues Segment',
  createDynamic: 'Nach einer Bedingung',
  createStatic: 'Eine Liste von Hand',
  empty: 'Noch keine Segmente',
  emptyHint: 'Ein Segment nach einer Bedingung ist immer aktuell; eine Liste führen Sie von Hand.',
  kinds: { DYNAMIC: 'Bedingung', STATIC: 'Liste' },
  tracked: 'Verfolgt',
  createdAt: 'Angelegt',
  addedAt: 'Hinzugefügt',
  facts: 'Angaben',
  compute: 'Jetzt aktualisieren',
  recount: 'Neu zählen',
  computed: (added, removed) => `${contactsOf(added)} dazugekommen, ${formed(removed)} weggefallen`,
  deleteHint: members =>
    `Das Segment und sein Verlauf sind endgültig weg. ${count(members, { one: 'Sein # Kontakt bleibt', other: 'Seine # Kontakte bleiben' })}. Solange es verwendet wird, lässt es sich nicht löschen.`,
  nobody: 'Niemand ist darin',
  nobodyOnList: 'Fügen Sie oben Adressen ein.',
  nobodyMatches: 'Im Moment passt kein Kontakt zur Bedingung.',
  remove: 'Von der Liste nehmen',
  removed: number => `${contactsOf(number)} von der Liste genommen`,
  paste: 'Zur Liste hinzufügen',
  pasteHint: 'Aus einer Tabelle, einer E-Mail, einer Liste: Jede Adresse im Text wird gefunden.',
  createMissing: 'Für unbekannte Adressen Kontakte anlegen',
  add: number => (number === 0 ? 'Hinzufügen' : `${addressesOf(number)} hinzufügen`),
  added: (added, created) =>
    created === 0
      ? `${contactsOf(added)} auf der Liste.`
      : `${contactsOf(added)} auf der Liste, ${formed(created)} davon neu.`,
  notFound: number =>
    count(number, { one: '# Adresse ist kein Kontakt:', other: '# Adressen sind keine Kontakte:' }),
  history: 'Verlauf',
  historyHint: 'Wer dazukam und wer wegfiel; geprüft wird alle fünf Minuten.',
  noHistory: 'Noch ist niemand dazugekommen oder weggefallen.',
  changes: { entry: 'Dazugekommen', exit: 'Weggefallen' },
  goneContact: 'ein gelöschter Kontakt',
  newTitle: { DYNAMIC: 'Neues Segment', STATIC: 'Neue Liste' },
  edit: name => `${name} bearbeiten`,
  condition: 'Wer dazugehört',
  result: 'Zurzeit',
  track: 'Verfolgen, wer dazukommt und wegfällt',
  trackHint: 'Beides wird als Ereignis aufgezeichnet, das einen Workflow starten kann.',
  discard: 'Änderungen verwerfen',
}
