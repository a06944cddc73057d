// Was viele Seiten sagen.
import type { Texts } from '..'

export const words: Texts['words'] = {
  appName: 'Waxwing',
  cancel: 'Abbrechen',
  close: 'Schließen',
  confirm: 'Bestätigen',
  copied: 'Kopiert',
  copy: 'Kopieren',
  create: 'Anlegen',
  delete: 'Löschen',
  edit: 'Bearbeiten',
  export: 'Exportieren',
  loading: 'Wird geladen',
  menu: 'Menü',
  more: 'Mehr',
  none: 'Keine',
  retry: 'Erneut versuchen',
  save: 'Speichern',
  saved: 'Gespeichert',
  search: 'Suchen',
  skipToContent: 'Zum Inhalt springen',
  typeToConfirm: word => `Zur Bestätigung ${word} eingeben`,
  optional: 'optional',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
}

export const errors: Texts['errors'] = {
  unknown: 'Etwas ist schiefgegangen.',
  network: 'Der Server ist nicht erreichbar.',
  networkHint: 'Prüfen Sie Ihre Verbindung und ob Waxwing läuft.',
  requestId: 'Anfrage-ID',
  pageFailed: 'Diese Seite konnte nicht angezeigt werden',
  notFound: 'Hier ist nichts',
  notFoundHint: 'Vielleicht ist die Adresse falsch, oder das Gesuchte wurde gelöscht.',
}

export const mailImages: Texts['mailImages'] = {
  blocked:
    'Externe Bilder sind blockiert. Wenn Sie sie laden, erfahren deren Server, wann und wo Sie diese E-Mail lesen.',
  load: 'Bilder laden',
}

export const formats: Texts['formats'] = {
  never: 'nie',
  now: 'gerade eben',
}

export const navigation: Texts['navigation'] = {
  label: 'Hauptnavigation',
  overview: 'Übersicht',
  projects: 'Projekte',
  newProject: 'Neues Projekt',
  switchProject: 'Projekt wechseln',
  signOut: 'Abmelden',
  theme: 'Darstellung',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  openMenu: 'Menü öffnen',
  apiReference: 'API-Referenz',
  guides: 'Anleitungen (Englisch)',
  palette: 'Suchen oder springen',
  paletteHint: 'Wohin?',
  paletteEmpty: 'Keine Treffer.',
  pages: 'Seiten',
  actions: 'Aktionen',
  kinds: {
    contact: 'Kontakt',
    campaign: 'Kampagne',
    template: 'Vorlage',
    layout: 'Layout',
    segment: 'Segment',
    form: 'Formular',
    workflow: 'Workflow',
  },
  does: { newCampaign: 'Neue Kampagne', newTemplate: 'Neue Vorlage', newSegment: 'Neues Segment' },
  shortcuts: {
    title: 'Tastatur',
    palette: 'Suchen, zu einer Seite springen, etwas tun',
    move: 'In einer Liste auf und ab',
    choose: 'Auswählen',
    close: 'Schließen, was offen ist',
    help: 'Diese Liste',
  },
}
