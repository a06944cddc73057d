// German.
import type { Locale } from './en'

export const de: Locale = {
  code: 'de',
  footer: 'Sie erhalten diese E-Mail, weil Sie dem Empfang von E-Mails von {projectName} zugestimmt haben.',
  unsubscribe: {
    title: 'Abmelden',
    question: 'Möchten Sie unter {email} keine E-Mails von {projectName} mehr erhalten?',
    button: 'Abmelden',
    manageLink: 'Stattdessen das Abonnement verwalten',
    doneTitle: 'Sie sind abgemeldet',
    done: 'Sie erhalten unter {email} keine Newsletter von {projectName} mehr.',
    changedMind: 'Haben Sie es sich anders überlegt?',
    again: 'Wieder anmelden',
  },
  subscribe: {
    title: 'Anmelden',
    question: 'Möchten Sie unter {email} E-Mails von {projectName} erhalten?',
    button: 'Anmelden',
    doneTitle: 'Sie sind angemeldet',
    done: 'Sie erhalten unter {email} E-Mails von {projectName}.',
  },
  manage: {
    title: 'Abonnement verwalten',
    description: 'Entscheiden Sie, ob Sie unter {email} E-Mails von {projectName} erhalten.',
    label: 'Ihr Abonnement',
    subscribed: 'Sie sind angemeldet.',
    unsubscribed: 'Sie sind abgemeldet.',
    paused: 'Die E-Mails sind bis zum {date} pausiert.',
    subscribedNote: 'Ihre Wahl ist gespeichert. Sie erhalten wieder E-Mails.',
    unsubscribedNote: 'Ihre Wahl ist gespeichert. Sie erhalten keine Newsletter mehr.',
    pausedNote: 'Ihre Wahl ist gespeichert. Sie erhalten bis zum {date} keine Newsletter.',
    unsubscribeLink: 'Zur Abmeldeseite',
    subscribeLink: 'Zur Anmeldeseite',
    disclaimer:
      'Hier geht es um Newsletter und Angebote. Nachrichten zu Ihrem Konto oder Ihren Bestellungen, etwa Belege und das Zurücksetzen des Passworts, können Sie weiterhin erhalten.',
  },
  topics: {
    title: 'Was Sie erhalten',
    question: 'Möchten Sie „{topic}“ von {projectName} unter {email} nicht mehr erhalten?',
    everything: 'Von allem abmelden',
  },
  snooze: {
    title: 'Lieber eine Pause einlegen',
    changeTitle: 'Pause ändern',
    label: 'E-Mails pausieren für',
    button: 'Pausieren',
    resume: 'Jetzt wieder E-Mails erhalten',
  },
  forms: {
    email: 'E-Mail-Adresse',
    optional: 'optional',
    consent:
      'Mit der Anmeldung stimmen Sie zu, E-Mails von {projectName} zu erhalten. Sie können sich jederzeit abmelden.',
    step: {
      title: 'Noch ein Schritt',
      text: 'Bitte drücken Sie die Schaltfläche, um das Formular abzusenden.',
      button: 'Absenden',
    },
    asked: {
      title: 'Bitte sehen Sie in Ihr Postfach',
      text: 'Wenn die Adresse sie empfangen kann, ist eine E-Mail mit einem Link unterwegs. Öffnen Sie ihn und bestätigen Sie; erst dann sind Sie angemeldet. Kommt nichts an, sehen Sie im Spam-Ordner nach. Höchstens eine solche E-Mail wird am Tag gesendet.',
    },
    confirm: { title: 'Anmeldung bestätigen', button: 'Bestätigen' },
    over: {
      title: 'Dieser Link funktioniert nicht mehr',
      text: 'Er ist verbraucht, abgelaufen oder durch eine neuere E-Mail ersetzt. Bitte füllen Sie das Formular noch einmal aus.',
    },
    closed: { title: 'Dieses Formular ist geschlossen', text: 'Es ist zurzeit nicht verfügbar.' },
    faults: {
      email: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
      refused: 'An diese Adresse können wir keine E-Mails senden. Bitte verwenden Sie eine andere.',
      fields: 'Bitte prüfen Sie die markierten Felder.',
      tooMany: 'Zu viele Versuche. Bitte versuchen Sie es später noch einmal.',
    },
    mail: {
      subject: 'Bitte bestätigen Sie Ihre Anmeldung bei {projectName}',
      text: 'Jemand, hoffentlich Sie selbst, hat E-Mails von {projectName} an {email} angefordert. Bitte bestätigen Sie, dass Sie sie möchten.',
      until: 'Der Link funktioniert bis {date}.',
      ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Sie erhalten dann nichts weiter.',
    },
  },
  privacy: {
    title: 'Ihre Daten',
    offer:
      'Sie können lesen, was {projectName} hier über Sie speichert, oder es löschen lassen. Den Link dazu bekommen Sie per E-Mail an {email}, damit niemand anderes es kann.',
    button: 'Link zusenden',
    asked:
      'Wenn {email} E-Mails empfangen kann, ist eine mit dem Link unterwegs. Es wird höchstens eine am Tag gesendet.',
    mail: {
      subject: 'Ihre Daten bei {projectName}',
      text: 'Jemand, hoffentlich Sie selbst, hat angefordert, was {projectName} über {email} speichert. Der Link führt dorthin und zur Löschung.',
      ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
    },
    read: 'Lesen',
    save: 'Als Datei speichern (JSON)',
    erase: {
      title: 'Alles löschen',
      text: 'Was hier über {email} gespeichert ist, wird endgültig gelöscht, und an die Adresse wird nichts mehr gesendet. Das lässt sich nicht rückgängig machen.',
      sure: 'Ja, löschen',
      button: 'Löschen',
      doneTitle: 'Ihre Daten werden gelöscht',
      done: 'Von Ihnen bleibt nur ein Code, an dem Ihre Adresse erkannt wird, damit nichts mehr an sie gesendet wird.',
    },
    over: 'Er ist abgelaufen, oder die Daten sind schon gelöscht. Die Links in unseren E-Mails führen zu einem neuen.',
    parts: {
      contact: 'Sie',
      fields: 'Felder',
      consent: 'Einwilligung',
      events: 'Ereignisse',
      messages: 'Nachrichten',
    },
    newest: 'Die neuesten {number}. Die Datei enthält alle.',
  },
  faults: {
    brokenTitle: 'Etwas ist schiefgegangen',
    broken: 'Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    testTitle: 'Das war ein Test',
    test: 'Dieser Link stammt aus einer Test-E-Mail. Es wurde nichts geändert.',
    invalidTitle: 'Dieser Link ist nicht gültig',
    invalid:
      'Vielleicht ist er unvollständig, oder die Adresse wurde entfernt. Bitte öffnen Sie den Link genau so, wie er in der E-Mail steht.',
    goneTitle: 'Nicht mehr verfügbar',
    gone: 'Der Link ist richtig, aber der Absender verwendet inzwischen ein anderes System, und diese Seite ist nicht mehr verfügbar.',
    choose: 'Bitte wählen Sie eine der Möglichkeiten.',
    notSubscribed: 'Nur ein Abonnement kann pausiert werden. Bitte melden Sie sich zuerst an.',
  },
}
