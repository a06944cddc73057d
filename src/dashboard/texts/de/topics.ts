// Arten von Mail, über die jeder Kontakt einzeln entscheidet.
import type { Texts } from '..'

export const topics: Texts['topics'] = {
  title: 'Themen',
  about: 'Arten von Mail, über die man einzeln entscheidet. Wer abgemeldet ist, bekommt keine davon.',
  one: 'Thema',
  none: 'Kein Thema',
  noneHint: 'Geht an alle, die angemeldet sind.',
  chosenHint:
    'Geht nur an die, die dieses Thema wollen. Ein Klick in der Mail meldet davon ab, und von sonst nichts.',
  create: 'Neues Thema',
  created: name => `${name} wurde angelegt`,
  empty: 'Noch keine Themen',
  emptyHint:
    'Mit Themen kann man den Newsletter abbestellen und die Neuigkeiten behalten. Kampagnen und Workflows nennen eines.',
  name: 'Name',
  description: 'Beschreibung',
  descriptionHint: 'Empfänger lesen sie unter dem Namen, auf der Seite über ihr Abonnement.',
  byDefault: 'Alle bekommen es, bis sie sich abmelden',
  byDefaultHint:
    'Sonst nur, wer sich dafür anmeldet. Das lässt sich später nicht ändern: Es würde ändern, worin Menschen eingewilligt haben.',
  defaults: { in: 'Alle bekommen es, bis sie sich abmelden', out: 'Nur wer sich dafür anmeldet' },
  archived: 'Archiviert',
  archive: 'Archivieren',
  offerAgain: 'Wieder anbieten',
  nowArchived: name => `${name} wird nicht mehr angeboten`,
  nowOffered: name => `${name} wird wieder angeboten`,
  openArchive: 'Öffentliches Archiv öffnen',
  closeArchive: 'Öffentliches Archiv schließen',
  publicArchive: 'Öffentliches Archiv',
  nowPublic: name => `Das Archiv von ${name} ist öffentlich. Es zeigt Kampagnen, die dafür vorgesehen sind.`,
  nowPrivate: name => `Das Archiv von ${name} ist geschlossen`,
  actionsOf: name => `Aktionen für ${name}`,
  showContacts: 'Zeigen, wer es bekommt',
  deleteTitle: name => `${name} löschen`,
  deleteHint:
    'Nur solange niemand darüber entschieden hat und nichts es nennt. Jedes andere Thema lässt sich archivieren.',
  deleted: name => `${name} wurde gelöscht`,
  states: { in: 'Angemeldet', out: 'Nicht angemeldet' },
  byItself: 'ohne eigene Entscheidung',
  allOff: 'Von allem abgemeldet: Mail zu keinem Thema geht hinaus.',
  joined: name => `Für ${name} angemeldet`,
  left: name => `Von ${name} abgemeldet`,
  gone: 'ein gelöschtes Thema',
  wants: (name, isIn) => `bekommt das Thema „${name}“${isIn ? '' : ' nicht'}`,
}
