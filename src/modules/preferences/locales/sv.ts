// Swedish.
import type { Locale } from '../locale'

export const sv: Locale = {
  code: 'sv',
  footer: {
    text: 'Du får det här e-postmeddelandet eftersom du har godkänt att ta emot e-post från {projectName}.',
    link: 'Avsluta prenumerationen',
  },
  unsubscribe: {
    title: 'Avsluta prenumerationen',
    question: 'Vill du sluta få e-post från {projectName} till {email}?',
    button: 'Avsluta prenumerationen',
    manageLink: 'Hantera prenumerationen i stället',
    doneTitle: 'Prenumerationen är avslutad',
    done: 'Du får inte längre nyhetsbrev från {projectName} till {email}.',
    changedMind: 'Har du ändrat dig?',
    again: 'Prenumerera igen',
  },
  subscribe: {
    title: 'Prenumerera',
    question: 'Vill du få e-post från {projectName} till {email}?',
    button: 'Prenumerera',
    doneTitle: 'Du prenumererar',
    done: 'Du får e-post från {projectName} till {email}.',
  },
  manage: {
    title: 'Hantera din prenumeration',
    description: 'Bestäm om du vill få e-post från {projectName} till {email}.',
    label: 'Din prenumeration',
    subscribed: 'Du prenumererar.',
    unsubscribed: 'Prenumerationen är avslutad.',
    paused: 'Utskicken är pausade till {date}.',
    subscribedNote: 'Ditt val är sparat. Du får e-post igen.',
    unsubscribedNote: 'Ditt val är sparat. Du får inga fler nyhetsbrev.',
    pausedNote: 'Ditt val är sparat. Du får inga nyhetsbrev före {date}.',
    unsubscribeLink: 'Öppna sidan för att avsluta',
    subscribeLink: 'Öppna sidan för att prenumerera',
    disclaimer:
      'Det här gäller nyhetsbrev och erbjudanden. Meddelanden om ditt konto eller dina beställningar, till exempel kvitton och återställning av lösenord, kan fortfarande skickas till dig.',
  },
  topics: {
    title: 'Det du får',
    question: 'Vill du sluta få ”{topic}” från {projectName} till {email}?',
    everything: 'Avsluta allt',
  },
  snooze: {
    title: 'Ta en paus i stället',
    changeTitle: 'Ändra pausen',
    label: 'Pausa utskicken i',
    durations: {
      '2_weeks': '2 veckor',
      '1_month': '1 månad',
      '6_months': '6 månader',
      '1_year': '1 år',
    },
    button: 'Pausa',
    resume: 'Få e-post igen nu',
  },
  faults: {
    brokenTitle: 'Något gick fel',
    broken: 'Försök igen om några minuter.',
    invalidTitle: 'Länken är inte giltig',
    invalid:
      'Den kan vara ofullständig, eller så har adressen tagits bort. Öppna länken precis som den står i e-postmeddelandet.',
    choose: 'Välj ett av alternativen.',
    notSubscribed: 'Bara en pågående prenumeration kan pausas. Prenumerera först.',
  },
}
