// Kampagnen: alle, eine schreiben, sie versenden, und was daraus wurde.

import type { Texts } from '..'
import { abTest } from './ab-test'
import { contactsOf, count, formed } from './numbers'

/** "2 min", "3 h". */
function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

export const campaigns: Texts['campaigns'] = {
  title: 'Kampagnen',
  hint: 'Eine Nachricht an viele.',
  create: 'Neue Kampagne',
  compare: 'Kampagnen vergleichen',
  showInArchive: 'Im öffentlichen Archiv zeigen',
  hideInArchive: 'Aus dem öffentlichen Archiv nehmen',
  nowShown: 'Im Archiv ihres Themas zu sehen, wo das öffentlich ist',
  nowHidden: 'Nicht mehr im Archiv',
  compareThis: 'Mit einer anderen vergleichen',
  beginHint:
    'Beginnen Sie mit einer Vorlage oder mit einer E-Mail, die schon fast passt. Wer sie bekommt, wählen Sie später.',
  to: 'An',
  recipientCount: number => count(number, { one: '# Empfänger', other: '# Empfänger' }),
  chooseAudience: 'Empfänger wählen',
  fromTemplate: 'Aus einer Vorlage',
  anyStatus: 'Jeder Status',
  statuses: {
    DRAFT: 'Entwurf',
    SCHEDULED: 'Geplant',
    SENDING: 'Wird versendet',
    SENT: 'Versendet',
    CANCELLED: 'Abgebrochen',
  },
  paused: 'Angehalten',
  recipients: 'Empfänger',
  opened: 'Geöffnet',
  clicked: 'Geklickt',
  empty: 'Noch keine Kampagnen',
  emptyHint: 'Schreiben Sie allen, die abonniert haben, oder einem Teil davon.',
  nothing: 'Keine Kampagne passt',
  nothingHint: 'Suchen Sie nach einem kürzeren Teil des Namens oder wählen Sie „Jeder Status“.',
  parts: 'Teile der Kampagne',
  partNames: { write: 'Inhalt', audience: 'Zielgruppe', send: 'Prüfen und senden' },
  toReview: 'Prüfen',
  audienceHint: 'Wer dazugehört, entscheidet sich beim Beginn des Versands.',
  audienceFixed: 'Sie ist geplant. Heben Sie die Planung auf, um andere Empfänger zu wählen.',
  audiences: { ALL: 'Alle', SEGMENT: 'Segmente und Themen', FILTERED: 'Ein Filter' },
  chooseSegment: 'Segment oder Thema wählen',
  inSegments: 'In mindestens einem davon',
  notInSegments: 'In keinem davon',
  excludeSegment: 'Segment oder Thema ausschließen',
  addSegment: 'Weitere hinzufügen',
  removeSegment: (name: string) => `${name} entfernen`,
  deletedSegment: 'Gelöschtes Segment',
  noSegments: 'Es gibt noch keine Segmente und Themen.',
  audienceExcept: (included: string, excluded: string) => `${included} außer ${excluded}`,
  inTopic: (audience, topic) => `${audience}, nur wer ${topic} abonniert hat`,
  didWith: (campaign, reaction) => `${campaign}: ${reaction}`,
  segmentWithCount: (name, members) => `${name} (${formed(members)})`,
  audienceUnfinished: 'Wählen Sie, für wen sie ist; dann wird hier gezählt.',
  reach: 'Wer sie bekommt',
  reachOf: {
    reached: contacts => `${contactsOf(contacts)} ${contacts === 1 ? 'bekommt' : 'bekommen'} sie`,
    others: (contacts, reasons) => `${formed(contacts)} nicht: ${reasons}`,
    reasons: {
      unsubscribed: contacts => `${formed(contacts)} abgemeldet`,
      snoozed: contacts => `${formed(contacts)} pausiert`,
      neverSubscribed: contacts => `${formed(contacts)} nie angemeldet`,
      topic: contacts => `${formed(contacts)} ohne dieses Thema`,
      suppressed: contacts => `${formed(contacts)} gesperrt`,
      cap: contacts => `${formed(contacts)} über der Frequenzbegrenzung`,
    },
  },
  forecast: (domain, day) => `${domain} wird aufgewärmt: Der letzte Teil geht am ${day} ab.`,
  forecastTransports: (names: string, day: string) =>
    `Die möglichen Versandwege werden aufgewärmt (${names}): Die letzten Nachrichten gehen am ${day} raus.`,
  heldByCap: (recipients: number) => `${contactsOf(recipients)} durch die Frequenzbegrenzung verzögert`,
  skippedByCap: (recipients: number) => `${contactsOf(recipients)} wegen der Frequenzbegrenzung übersprungen`,
  forecastUnknown: {
    OTHER_PROJECTS: 'Was andere Projekte auf denselben Wegen versenden, ist nicht bekannt.',
    RECIPIENT_TRANSPORTS: 'Manche bekommen sie vielleicht früher, auf einem Versandweg für ihre Domain.',
    OTHER_MAIL: 'Andere E-Mails, die vorher versendet werden, zählen auch für die Frequenzbegrenzung.',
  },
  forecastMore: days => count(days, { one: 'und # weiterer Tag', other: 'und # weitere Tage' }),
  forecastMoments: 'Nach den Uhren der Empfänger geht sie in diesen Stunden ab:',
  forecastMoreHours: hours => count(hours, { one: 'und # weitere Stunde', other: 'und # weitere Stunden' }),
  withoutTimeZone: recipients => `${contactsOf(recipients)} ohne Zeitzone: Es gilt die des Projekts.`,
  held: recipients =>
    `${contactsOf(recipients)} vorerst zurückgehalten: Ruhezeiten, Frequenzbegrenzung, Stunden der Kampagne oder Postfachanbieter`,
  skippedByRule: recipients =>
    `${contactsOf(recipients)} wegen Ruhezeiten oder Frequenzbegrenzung übersprungen`,
  noPreview:
    'Keine Vorschau: Diese E-Mail lässt sich noch nicht anzeigen. Den Grund nennt „Prüfung vor dem Senden“.',
  check: 'Prüfung vor dem Senden',
  test: 'Test',
  testTo: 'Test senden an',
  testHint: most => `Bis zu ${formed(most)} Adressen, durch Kommas getrennt.`,
  testWrong: address => `„${address}“ ist keine E-Mail-Adresse`,
  testMany: most => `Ein Test geht an höchstens ${formed(most)} Adressen`,
  testSent: emails =>
    emails.length === 1
      ? `Ein Test an ${emails[0]} ist unterwegs`
      : `Ein Test an ${formed(emails.length)} Adressen ist unterwegs`,
  unsavedHint:
    'Die Vorschau zeigt, was gespeichert ist. Beim Senden werden Ihre Änderungen zuerst gespeichert.',
  publishesToo: 'Veröffentlicht auch Ihre noch unveröffentlichten Änderungen an dieser Kampagne.',
  leave: 'Zeitpunkt des Versands',
  whens: { now: 'Jetzt', later: 'Zu einem Zeitpunkt' },
  moment: 'Datum und Uhrzeit',
  hereThatIs: moment => `Bei Ihnen ist das ${moment}.`,
  timing: {
    use: 'Nach der Uhr der Empfänger, oder über Stunden verteilt',
    localTime: 'Dort um diese Zeit',
    passed: 'Wo das vorbei ist',
    passedRules: { NEXT_DAY: 'am nächsten Tag', NOW: 'sofort' },
    from: 'Nicht vor',
    to: 'Nicht nach',
    weekdays: 'An diesen Tagen',
    spread: 'Über Stunden verteilt, bis 168',
    hint: 'Was keine Rolle spielt, bleibt leer. Wo die Zeitzone eines Kontakts steht, sagen die Einstellungen des Projekts.',
  },
  abTest,
  missing: {
    name: 'Geben Sie einen Namen ein.',
    subject: 'Geben Sie einen Betreff ein.',
    from: 'Geben Sie eine Absenderadresse ein.',
    audience: 'Wählen Sie ein Segment, oder vervollständigen Sie den Filter.',
    time: 'Vervollständigen Sie die Uhrzeit, oder leeren Sie das Feld.',
    timing: 'Geben Sie eine Uhrzeit, Tage oder Stunden an, oder schalten Sie dies aus.',
    number: (least, most) => `Geben Sie eine Zahl von ${formed(least)} bis ${formed(most)} ein.`,
    variant: 'Geben Sie dieser Variante einen Betreff, Absendernamen oder Inhalt, der von A abweicht.',
    testShare: (recipients, variants, least) =>
      `Zu wenige für ${formed(variants)} Varianten: Die Zielgruppe hat ${contactsOf(recipients)}. Geben Sie ${formed(least)} oder mehr ein, oder schalten Sie den A/B-Test aus.`,
    testAudience: variants =>
      `Die Zielgruppe ist zu klein: ${formed(variants)} Varianten brauchen mindestens ${contactsOf(variants)}. Schalten Sie den A/B-Test aus, oder wählen Sie eine größere Zielgruppe.`,
    moment: 'Vervollständigen Sie Datum und Uhrzeit.',
    passed: 'Dieser Zeitpunkt ist vorbei. Wählen Sie einen späteren, oder senden Sie jetzt.',
  },
  changedMeanwhile:
    'Jemand anderes hat diese Kampagne geändert. Es wurde nichts gesendet. Schließen Sie dieses Fenster, sehen Sie sich die Kampagne noch einmal an, und senden Sie sie dann.',
  summary: {
    audience: (name, recipients) => `${name}: ${contactsOf(recipients)}`,
    when: 'Sendezeit',
    timing: 'Zeitzonen der Empfänger',
    localTime: (time, isNow) =>
      `Um ${time} Uhr Ortszeit; wenn das vorbei ist, ${isNow ? 'jetzt' : 'am nächsten Tag'}`,
    window: (from, to) => `zwischen ${from} und ${to} Uhr`,
    spread: hours => `verteilt über ${count(hours, { one: '# Stunde', other: '# Stunden' })}`,
    tested: (variants, share, tested, isExact) =>
      `${formed(variants)} Varianten gehen an ${formed(share)} % der Empfänger (${isExact ? '' : 'etwa '}${contactsOf(tested)}).`,
    variant: (name, contacts, isExact) =>
      `Variante ${name}: ${isExact ? '' : 'etwa '}${contactsOf(contacts)}`,
    content: 'Anderer Inhalt',
    remaining: 'Übrige Zielgruppe',
    waiting: (contacts, hours, metric, confidence, isA, isExact) =>
      `${isExact ? '' : 'Etwa '}${count(contacts, { one: '# Kontakt wartet', other: '# Kontakte warten' })} auf den Gewinner. ${count(hours, { one: '# Stunde', other: '# Stunden' })} nach Beginn des Versands bekommen sie die Variante mit mehr ${metric}, wenn sie mit ${formed(confidence)} % Sicherheit vorn liegt. Ohne Gewinner ${isA ? 'bekommen sie A' : 'warten sie, bis jemand wählt'}.`,
    nobodyWaits: 'Die Varianten gehen an alle Empfänger.',
    findings: number =>
      `Die Prüfung hat ${count(number, { one: '# Problem', other: '# Probleme' })} in dieser E-Mail gefunden.`,
    toFindings: 'Probleme anzeigen',
  },
  nobody: 'Niemand würde sie bekommen. Wählen Sie eine andere Zielgruppe.',
  sendNow: 'Jetzt senden',
  schedule: 'Planen',
  sendTo: recipients => `An ${contactsOf(recipients)} senden`,
  sendVariants: (recipients, isExact) =>
    `Varianten an ${isExact ? '' : 'etwa '}${contactsOf(recipients)} senden`,
  sendHint: 'Der Versand beginnt jetzt. Gesendete E-Mails lassen sich nicht zurückholen.',
  sendDelayHint: (seconds: number) => {
    const delay =
      seconds % 60 === 0
        ? count(seconds / 60, { one: '# Minute', other: '# Minuten' })
        : count(seconds, { one: '# Sekunde', other: '# Sekunden' })
    return `Der Versand beginnt in ${delay}. Bis dahin können Sie ihn rückgängig machen.`
  },
  waiting: {
    title: 'Wartet auf den Versand',
    soon: (seconds: number, recipients: number) =>
      seconds > 0
        ? `Der Versand an ${contactsOf(recipients)} beginnt in ${count(seconds, { one: '# Sekunde', other: '# Sekunden' })}.`
        : `Der Versand an ${contactsOf(recipients)} beginnt jetzt.`,
    later: (moment: string, recipients: number) =>
      `Geplant für ${moment}, derzeit an ${contactsOf(recipients)}.`,
    undo: 'Versand zurücknehmen',
    unschedule: 'Planung aufheben',
    takenBack: 'Wieder ein Entwurf. Nichts wurde gesendet.',
    tooLate: 'Zu spät: Der Versand hat begonnen.',
  },
  scheduleHint: 'Gesendet wird an alle, die dann in der Zielgruppe sind.',
  started: 'Sie ist unterwegs',
  scheduled: moment => `Versand am ${moment}`,
  cancel: 'Kampagne abbrechen',
  cancelTitle: name => `${name} abbrechen?`,
  cancelHint: left =>
    `Der Versand endet endgültig: ${count(Math.max(left, 0), { one: '# Kontakt bekommt', other: '# Kontakte bekommen' })} sie nicht. Wer sie hat, behält sie.`,
  deleteHint: 'Der Entwurf und alles, was darin steht, ist endgültig weg.',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  retryFailed: 'Fehlgeschlagene erneut versuchen',
  retried: requeued => `${contactsOf(requeued)} erneut versucht`,
  pausedBecause: reason => `Angehalten: ${reason}`,
  receivers: {
    title: 'Für diese Postfachanbieter angehalten',
    hint: 'Diese Anbieter weisen die Kampagne wegen des Absenders, einer Richtlinie oder des Inhalts ab. Waxwing prüft jeden, der nicht übersprungen wird, von Zeit zu Zeit mit einer einzelnen E-Mail. Alle anderen Kontakte bekommen die Kampagne.',
    waiting: contacts => `${contactsOf(contacts)} in der Warteschlange`,
    skipped: 'Übersprungen',
    since: at => `Seit ${at}`,
    nextTry: at => `Nächster Versuch: ${at}`,
    resume: 'Versand fortsetzen',
    skip: 'Kontakte überspringen',
    skipTitle: provider => `Kontakte bei ${provider} überspringen?`,
    skipConsequence: contacts =>
      `Ohne diese Kampagne: ${contactsOf(contacts)}. Mit „Fehlgeschlagene erneut versuchen“ können Sie sie später senden.`,
  },
  waitsForTest: (done, all) => `${formed(done)} von ${formed(all)} · Wartet auf den A/B-Test`,
  progress: (done, all, rate, left) =>
    [
      `${formed(done)} von ${formed(all)}`,
      ...(rate === null ? [] : [`${formed(rate)} pro Sekunde`]),
      ...(left === null ? [] : [`noch ${duration(left)}`]),
    ].join(' · '),
  tiles: {
    sent: 'Versendet',
    delivered: 'Zugestellt',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    bounced: 'Bounces',
    complained: 'Beschwerden',
    unsubscribed: 'Abgemeldet',
  },
  ofRecipients: all => `von ${formed(all)}`,
  peopleAndPrograms: (people, programs) =>
    programs > 0 ? `${formed(people)}; Programme ${formed(programs)}` : formed(people),
  usually: rate => `Meist ${rate}`,
  overTime: 'Öffnungen und Klicks im Zeitverlauf',
  linksHint: 'Von Menschen geklickt, soweit sich das sagen lässt.',
  linkClicks: (people, clicks) =>
    `${count(people, { one: '# Person', other: '# Personen' })}, ${count(clicks, { one: '# Klick', other: '# Klicks' })}`,
  next: {
    title: 'Nächste Schritte',
    hint: 'Legt einen Entwurf mit diesem Inhalt an. Er geht an alle, die diese Kampagne bekommen haben, beim Senden noch nicht reagiert haben und weiterhin abonniert sind.',
    actions: {
      notOpened: 'An alle senden, die nicht geöffnet haben',
      notClicked: 'An alle senden, die nicht geklickt haben',
    },
    names: {
      notOpened: name => `${name} (nicht geöffnet)`,
      notClicked: name => `${name} (nicht geklickt)`,
    },
  },
  anyReaction: 'Alle',
  noFilter: 'Filter entfernen',
  reactions: {
    opened: 'Geöffnet',
    notOpened: 'Nicht geöffnet',
    clicked: 'Link geklickt',
    notClicked: 'Keinen Link geklickt',
    bounced: 'Bounce',
    complained: 'Beschwerde',
    failed: 'Fehlgeschlagen',
  },
  nobodyFits: 'Auf niemanden trifft das zu',
  makeSegment: 'Segment daraus machen',
  makeSegmentHint: all =>
    `Eine Liste mit ${count(all, { one: 'diesem # Kontakt, wie er jetzt ist', other: 'diesen # Kontakten, wie sie jetzt sind' })}.`,
  segmentMade: (name, members) => `${name} hat ${contactsOf(members)}`,
  tooFew: 'Noch gibt es nichts zu vergleichen',
  tooFewHint: 'Erst müssen zwei Kampagnen versendet sein.',
  firstCampaign: 'Erste Kampagne',
  secondCampaign: 'Zweite Kampagne',
}
