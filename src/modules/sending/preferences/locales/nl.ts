// Dutch.
import type { Locale } from './en'

export const nl: Locale = {
  code: 'nl',
  footer: 'Je ontvangt deze e-mail omdat je ermee hebt ingestemd e-mail van {projectName} te ontvangen.',
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
    button: 'Pauzeren',
    resume: 'Nu weer e-mails ontvangen',
  },
  forms: {
    email: 'E-mailadres',
    optional: 'optioneel',
    consent:
      'Door u in te schrijven stemt u ermee in e-mails van {projectName} te ontvangen. U kunt zich altijd uitschrijven.',
    step: {
      title: 'Nog één stap',
      text: 'Druk op de knop om het formulier te versturen.',
      button: 'Versturen',
    },
    asked: {
      title: 'Kijk in uw inbox',
      text: 'Als het adres die kan ontvangen, is er een e-mail met een link onderweg. Open de link en bevestig; pas dan bent u ingeschreven. Komt er niets aan, kijk dan in de spammap. Er wordt hoogstens één zo’n e-mail per dag gestuurd.',
    },
    confirm: { title: 'Bevestig uw inschrijving', button: 'Bevestigen' },
    over: {
      title: 'Deze link werkt niet meer',
      text: 'De link is gebruikt, verlopen of vervangen door een nieuwere e-mail. Vul het formulier opnieuw in.',
    },
    closed: { title: 'Dit formulier is gesloten', text: 'Het is op dit moment niet beschikbaar.' },
    faults: {
      email: 'Vul een geldig e-mailadres in.',
      refused: 'Naar dit adres kunnen wij geen e-mails sturen. Gebruik een ander adres.',
      fields: 'Controleer de gemarkeerde velden.',
      tooMany: 'Te veel pogingen. Probeer het later opnieuw.',
    },
    mail: {
      subject: 'Bevestig uw inschrijving bij {projectName}',
      text: 'Iemand, hopelijk uzelf, vroeg om e-mails van {projectName} op {email}. Bevestig dat u ze wilt ontvangen.',
      until: 'De link werkt tot {date}.',
      ignore: 'Was u het niet, negeer deze e-mail dan. U ontvangt verder niets.',
    },
  },
  privacy: {
    title: 'Uw gegevens',
    offer:
      'U kunt lezen wat {projectName} hier over u bewaart, of het laten wissen. De link komt per e-mail op {email}, zodat niemand anders het kan.',
    button: 'Stuur mij de link',
    asked:
      'Als {email} hem kan ontvangen, is er een e-mail met de link onderweg. Er wordt hooguit één per dag verstuurd.',
    mail: {
      subject: 'Uw gegevens bij {projectName}',
      text: 'Iemand, hopelijk uzelf, vroeg wat {projectName} over {email} bewaart. De link leidt daarheen, en naar het wissen ervan.',
      ignore: 'Was u het niet, negeer deze e-mail dan.',
    },
    read: 'Lezen',
    save: 'Opslaan als bestand (JSON)',
    erase: {
      title: 'Alles wissen',
      text: 'Wat hier over {email} wordt bewaard, wordt voorgoed verwijderd, en er wordt niets meer naar het adres gestuurd. Dit kan niet ongedaan worden gemaakt.',
      sure: 'Ja, wissen',
      button: 'Wissen',
      doneTitle: 'Uw gegevens worden gewist',
      done: 'Van u blijft alleen een code waaraan uw adres wordt herkend, zodat er niets meer naartoe wordt gestuurd.',
    },
    over: 'De link is verlopen, of de gegevens zijn al gewist. De links in onze e-mails leiden naar een nieuwe.',
    parts: {
      contact: 'U',
      fields: 'Velden',
      consent: 'Toestemming',
      events: 'Gebeurtenissen',
      messages: 'Berichten',
    },
    newest: 'De nieuwste {number}. Het bestand bevat ze allemaal.',
  },
  faults: {
    brokenTitle: 'Er is iets misgegaan',
    broken: 'Probeer het over een paar minuten opnieuw.',
    testTitle: 'Dit was een test',
    test: 'Deze link komt uit een testmail. Er is niets gewijzigd.',
    invalidTitle: 'Deze link is niet geldig',
    invalid:
      'Misschien is de link onvolledig of is het adres verwijderd. Open de link precies zoals hij in de e-mail staat.',
    goneTitle: 'Niet meer beschikbaar',
    gone: 'De link klopt, maar de afzender gebruikt inmiddels een ander e-mailsysteem en deze pagina is niet meer beschikbaar.',
    choose: 'Kies een van de mogelijkheden.',
    notSubscribed: 'Alleen een aanmelding kan worden gepauzeerd. Meld je eerst aan.',
  },
}
