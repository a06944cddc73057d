// Dutch.
import type { Locale } from '../locale'

export const nl: Locale = {
  code: 'nl',
  footer: {
    text: 'Je ontvangt deze e-mail omdat je ermee hebt ingestemd e-mail van {projectName} te ontvangen.',
    link: 'Afmelden',
  },
  unsubscribe: {
    title: 'Afmelden',
    question: 'Wil je op {email} geen e-mails van {projectName} meer ontvangen?',
    button: 'Afmelden',
    manageLink: 'Je aanmelding beheren',
    doneTitle: 'Je bent afgemeld',
    done: 'Je ontvangt op {email} geen nieuwsbrieven van {projectName} meer.',
    changedMind: 'Toch van gedachten veranderd?',
    again: 'Opnieuw aanmelden',
  },
  subscribe: {
    title: 'Aanmelden',
    question: 'Wil je op {email} e-mails van {projectName} ontvangen?',
    button: 'Aanmelden',
    doneTitle: 'Je bent aangemeld',
    done: 'Je ontvangt op {email} e-mails van {projectName}.',
  },
  manage: {
    title: 'Je aanmelding beheren',
    description: 'Bepaal of je op {email} e-mails van {projectName} ontvangt.',
    label: 'Je aanmelding',
    subscribed: 'Je bent aangemeld.',
    unsubscribed: 'Je bent afgemeld.',
    paused: 'De e-mails zijn gepauzeerd tot {date}.',
    subscribedNote: 'Je keuze is opgeslagen. Je ontvangt weer e-mails.',
    unsubscribedNote: 'Je keuze is opgeslagen. Je ontvangt geen nieuwsbrieven meer.',
    pausedNote: 'Je keuze is opgeslagen. Je ontvangt tot {date} geen nieuwsbrieven.',
    unsubscribeLink: 'Naar de afmeldpagina',
    subscribeLink: 'Naar de aanmeldpagina',
    disclaimer:
      'Dit gaat over nieuwsbrieven en aanbiedingen. Berichten over je account of je bestellingen, zoals bonnen en het opnieuw instellen van je wachtwoord, kun je nog wel ontvangen.',
  },
  topics: {
    title: 'Wat u ontvangt',
    question: 'Wilt u ‘{topic}’ van {projectName} niet meer ontvangen op {email}?',
    everything: 'Voor alles afmelden',
  },
  snooze: {
    title: 'Liever even pauze',
    changeTitle: 'De pauze aanpassen',
    label: 'E-mails pauzeren voor',
    durations: {
      '2_weeks': '2 weken',
      '1_month': '1 maand',
      '6_months': '6 maanden',
      '1_year': '1 jaar',
    },
    button: 'Pauzeren',
    resume: 'Nu weer e-mails ontvangen',
  },
  faults: {
    brokenTitle: 'Er is iets misgegaan',
    broken: 'Probeer het over een paar minuten opnieuw.',
    invalidTitle: 'Deze link is niet geldig',
    invalid:
      'Misschien is de link onvolledig of is het adres verwijderd. Open de link precies zoals hij in de e-mail staat.',
    choose: 'Kies een van de mogelijkheden.',
    notSubscribed: 'Alleen een aanmelding kan worden gepauzeerd. Meld je eerst aan.',
  },
}
