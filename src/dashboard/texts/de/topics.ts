// Arten von E-Mails, die jeder Kontakt einzeln wählen kann.
import type { Texts } from '..'

export const topics: Texts['topics'] = {
  title: 'Themen',
  about: 'Arten von E-Mails, die man einzeln wählen kann. Abgemeldete Kontakte bekommen keine davon.',
  one: 'Thema',
  none: 'Kein Thema',
  noneHint: 'Wird an alle angemeldeten Kontakte versendet.',
  chosenHint:
    'Wird nur an Kontakte versendet, die dieses Thema abonniert haben. Der Abmeldelink meldet nur von diesem Thema ab.',
  create: 'Neues Thema',
  empty: 'Noch keine Themen',
  emptyHint:
    'Mit Themen kann man den Newsletter abbestellen und Neuigkeiten behalten. Wählen Sie in Kampagnen und Workflows ein Thema.',
  descriptionHint: 'Steht auf der Einstellungsseite unter dem Namen.',
  byDefaultHint:
    'Das lässt sich später nicht ändern, weil es ändern würde, worin die Kontakte eingewilligt haben.',
  defaults: { in: 'Standardmäßig abonniert', out: 'Nur nach Anmeldung' },
  archived: 'Archiviert',
  archive: 'Archivieren',
  offerAgain: 'Wieder anbieten',
  nowArchived: name => `${name} wird nicht mehr angeboten`,
  nowOffered: name => `${name} wird wieder angeboten`,
  hidden: 'Nicht auf Einstellungsseiten',
  hide: 'Auf Einstellungsseiten verbergen',
  unhide: 'Auf Einstellungsseiten zeigen',
  nowHidden: name => `Einstellungsseiten bieten ${name} nicht mehr an`,
  nowShown: name => `Einstellungsseiten bieten ${name} an`,
  openArchive: 'Öffentliches Archiv öffnen',
  closeArchive: 'Öffentliches Archiv schließen',
  publicArchive: 'Öffentliches Archiv',
  nowPublic: name => `Das Archiv von ${name} ist öffentlich. Es zeigt Kampagnen, die dafür vorgesehen sind.`,
  nowPrivate: name => `Das Archiv von ${name} ist geschlossen`,
  actionsOf: name => `Aktionen für ${name}`,
  showContacts: 'Abonnenten zeigen',
  deleteHint:
    'Löschen lässt sich nur ein Thema, das kein Kontakt gewählt oder abbestellt hat und das nirgends verwendet wird. Archivieren Sie es stattdessen.',
  states: { in: 'Angemeldet', out: 'Nicht angemeldet' },
  byItself: 'standardmäßig',
  allOff: 'Von allen E-Mails abgemeldet, auch von Themen.',
  joined: name => `Für ${name} angemeldet`,
  left: name => `Von ${name} abgemeldet`,
  gone: 'ein gelöschtes Thema',
  wants: (name, isIn) => `bekommt das Thema „${name}“${isIn ? '' : ' nicht'}`,
}
