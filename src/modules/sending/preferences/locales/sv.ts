// Swedish.
import type { Locale } from './en'

export const sv: Locale = {
  code: 'sv',
  footer: 'Du får det här e-postmeddelandet eftersom du har godkänt att ta emot e-post från {projectName}.',
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
    button: 'Pausa',
    resume: 'Få e-post igen nu',
  },
  forms: {
    email: 'E-postadress',
    optional: 'valfritt',
    consent:
      'Genom att prenumerera godkänner du att få e-post från {projectName}. Du kan avsluta när som helst.',
    step: { title: 'Ett steg till', text: 'Tryck på knappen för att skicka formuläret.', button: 'Skicka' },
    asked: {
      title: 'Titta i din inkorg',
      text: 'Om adressen kan ta emot det är ett e-postmeddelande med en länk på väg. Öppna länken och bekräfta; först då är du prenumerant. Om inget kommer, titta i skräpposten. Högst ett sådant meddelande skickas per dag.',
    },
    confirm: { title: 'Bekräfta din prenumeration', button: 'Bekräfta' },
    over: {
      title: 'Länken fungerar inte längre',
      text: 'Den är använd, har gått ut eller ersatts av ett nyare meddelande. Fyll i formuläret igen.',
    },
    closed: { title: 'Formuläret är stängt', text: 'Det är inte tillgängligt just nu.' },
    faults: {
      email: 'Ange en giltig e-postadress.',
      refused: 'Vi kan inte skicka e-post till den här adressen. Använd en annan.',
      fields: 'Kontrollera de markerade fälten.',
      tooMany: 'För många försök. Försök igen senare.',
    },
    mail: {
      subject: 'Bekräfta din prenumeration på {projectName}',
      text: 'Någon, förhoppningsvis du, bad om e-post från {projectName} till {email}. Bekräfta att du vill ha den.',
      until: 'Länken fungerar till {date}.',
      ignore: 'Om det inte var du, bortse från detta meddelande. Du får inget mer.',
    },
  },
  privacy: {
    title: 'Dina uppgifter',
    offer:
      'Du kan läsa vad {projectName} sparar om dig här, eller få det raderat. Länken kommer med e-post till {email}, så att ingen annan kan göra det.',
    button: 'Skicka länken',
    asked: 'Om {email} kan ta emot det är ett e-postmeddelande med länken på väg. Högst ett skickas per dag.',
    mail: {
      subject: 'Dina uppgifter hos {projectName}',
      text: 'Någon, förhoppningsvis du, bad om det som {projectName} sparar om {email}. Länken leder dit, och till radering.',
      ignore: 'Om det inte var du kan du bortse från meddelandet.',
    },
    read: 'Läs',
    save: 'Spara som fil (JSON)',
    erase: {
      title: 'Radera allt',
      text: 'Det som sparas här om {email} raderas för gott, och inget mer skickas till adressen. Det går inte att ångra.',
      sure: 'Ja, radera',
      button: 'Radera',
      doneTitle: 'Dina uppgifter raderas',
      done: 'Av dig blir bara en kod kvar som din adress känns igen på, så att inget mer skickas till den.',
    },
    over: 'Den har gått ut, eller så är uppgifterna redan raderade. Länkarna i våra meddelanden leder till en ny.',
    parts: {
      contact: 'Du',
      fields: 'Fält',
      consent: 'Samtycke',
      events: 'Händelser',
      messages: 'Meddelanden',
    },
    newest: 'De senaste {number}. Filen innehåller alla.',
  },
  faults: {
    brokenTitle: 'Något gick fel',
    broken: 'Försök igen om några minuter.',
    testTitle: 'Det här var ett test',
    test: 'Länken kommer från ett testmeddelande. Ingenting har ändrats.',
    invalidTitle: 'Länken är inte giltig',
    invalid:
      'Den kan vara ofullständig, eller så har adressen tagits bort. Öppna länken precis som den står i e-postmeddelandet.',
    goneTitle: 'Inte längre tillgänglig',
    gone: 'Länken är rätt, men avsändaren använder numera ett annat e-postsystem, och den här sidan är inte längre tillgänglig.',
    choose: 'Välj ett av alternativen.',
    notSubscribed: 'Bara en pågående prenumeration kan pausas. Prenumerera först.',
  },
}
