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
  empty: 'Noch keine Themen',
  emptyHint:
    'Mit Themen kann man den Newsletter abbestellen und die Neuigkeiten behalten. Kampagnen und Workflows nennen eines.',
  descriptionHint: 'Empfänger lesen sie unter dem Namen, auf der Seite über ihr Abonnement.',
  byDefaultHint:
    'Sonst nur, wer sich dafür anmeldet. Das lässt sich später nicht ändern: Es würde ändern, worin Menschen eingewilligt haben.',
  defaults: { in: 'Alle bekommen es, bis sie sich abmelden', out: 'Nur wer sich dafür anmeldet' },
  archived: 'Archiviert',
  archive: 'Archivieren',
  offerAgain: 'Wieder anbieten',
  nowArchived: name => `${name} wird nicht mehr angeboten`,
  nowOffered: name => `${name} wird wieder angeboten`,
  hidden: 'Nicht auf den Abo-Seiten',
  hide: 'Auf den Abo-Seiten verbergen',
  unhide: 'Auf den Abo-Seiten zeigen',
  nowHidden: name => `Die Abo-Seiten bieten ${name} nicht mehr an`,
  nowShown: name => `Die Abo-Seiten bieten ${name} an`,
  openArchive: 'Öffentliches Archiv öffnen',
  closeArchive: 'Öffentliches Archiv schließen',
  publicArchive: 'Öffentliches Archiv',
  nowPublic: name => `Das Archiv von ${name} ist öffentlich. Es zeigt Kampagnen, die dafür vorgesehen sind.`,
  nowPrivate: name => `Das Archiv von ${name} ist geschlossen`,
  actionsOf: name => `Aktionen für ${name}`,
  showContacts: 'Zeigen, wer es bekommt',
  deleteHint:
    'Nur solange niemand darüber entschieden hat und nichts es nennt. Jedes andere Thema lässt sich archivieren.',
  states: { in: 'Angemeldet', out: 'Nicht angemeldet' },
  byItself: 'ohne eigene Entscheidung',
  allOff: 'Von allem abgemeldet: Mail zu keinem Thema geht hinaus.',
  joined: name => `Für ${name} angemeldet`,
  left: name => `Von ${name} abgemeldet`,
  gone: 'ein gelöschtes Thema',
  wants: (name, isIn) => `bekommt das Thema „${name}“${isIn ? '' : ' nicht'}`,
}
