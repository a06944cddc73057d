// Wie es der Instanz geht, für ihren Betreiber.
import type { Texts } from '..'
import { count } from './numbers'

export const instance: Texts['instance'] = {
  title: 'Instanz',
  hint: 'Wie es diesem Waxwing geht. Nur Sie sehen das: Ihr Konto war das erste.',
  closed: 'Diese Seite ist für den Betreiber',
  closedHint: 'Das Konto, das auf dieser Instanz zuerst angelegt wurde, sieht, wie es ihr geht.',
  facts: {
    version: 'Version',
    started: 'Gestartet',
    address: 'Adresse',
    transport: 'Versand über',
    database: 'Datenbank',
    builtIn: 'eingebaut',
    external: 'extern',
    backup: 'Sicherungen',
  },
  transports: {
    outbox: 'Nichts: alles bleibt im Postausgang',
    smtp: 'SMTP-Relay',
    ses: 'Amazon SES',
    sendmail: 'sendmail',
  },
  backupHint: 'Schreibt alles in eine Datei, während weiter E-Mails abgehen.',
  findings: 'Prüfung',
  findingsHint: 'Was „waxwing doctor“ findet.',
  lookAgain: 'Erneut prüfen',
  levels: { ok: 'Gut', warn: 'Warnung', fail: 'Fehler' },
  jobs: 'Hintergrundaufgaben',
  jobsHint: 'Was wartet, läuft oder aufgegeben wurde.',
  noJobs: 'Nichts wartet, und nichts wurde aufgegeben.',
  columns: { kind: 'Art', queued: 'Wartet', running: 'Läuft', failed: 'Aufgegeben', due: 'Fällig seit' },
  failed: 'Aufgegeben',
  failedHint: 'Aufgaben, die bei jedem Versuch scheiterten. Sie bleiben einige Tage.',
  failedOf: kind => `Von der Art ${kind}.`,
  allKinds: 'Alle Arten',
  noneFailed: 'Nichts wurde aufgegeben.',
  attempts: tries => count(tries, { one: '# Versuch', other: '# Versuche' }),
}
