// Italian.
import type { Locale } from './en'

export const it: Locale = {
  code: 'it',
  footer: 'Ha ricevuto questa e-mail perché ha accettato di ricevere e-mail da {projectName}.',
  unsubscribe: {
    title: 'Annulla iscrizione',
    question: 'Vuole smettere di ricevere e-mail da {projectName} all’indirizzo {email}?',
    button: 'Annulla iscrizione',
    manageLink: 'Gestisca invece la Sua iscrizione',
    doneTitle: 'La Sua iscrizione è annullata',
    done: 'Non riceverà più newsletter da {projectName} all’indirizzo {email}.',
    changedMind: 'Ha cambiato idea?',
    again: 'Iscriversi di nuovo',
  },
  subscribe: {
    title: 'Iscrizione',
    question: 'Vuole ricevere e-mail da {projectName} all’indirizzo {email}?',
    button: 'Conferma iscrizione',
    doneTitle: 'La Sua iscrizione è attiva',
    done: 'Riceverà e-mail da {projectName} all’indirizzo {email}.',
  },
  manage: {
    title: 'Gestione dell’iscrizione',
    description: 'Decida se ricevere e-mail da {projectName} all’indirizzo {email}.',
    label: 'La Sua iscrizione',
    subscribed: 'La Sua iscrizione è attiva.',
    unsubscribed: 'La Sua iscrizione è annullata.',
    paused: 'Le e-mail sono sospese fino al {date}.',
    subscribedNote: 'La Sua scelta è stata salvata. Riceverà di nuovo le e-mail.',
    unsubscribedNote: 'La Sua scelta è stata salvata. Non riceverà più newsletter.',
    pausedNote: 'La Sua scelta è stata salvata. Non riceverà newsletter fino al {date}.',
    unsubscribeLink: 'Apri la pagina di annullamento',
    subscribeLink: 'Apri la pagina di iscrizione',
    disclaimer:
      'Si tratta di newsletter e offerte. I messaggi sul Suo account o sui Suoi ordini, come ricevute e reimpostazione della password, potranno ancora esserLe inviati.',
  },
  topics: {
    title: 'Che cosa riceve',
    question: 'Vuole smettere di ricevere «{topic}» da {projectName} all’indirizzo {email}?',
    everything: 'Annulla tutte le iscrizioni',
  },
  snooze: {
    title: 'Oppure faccia una pausa',
    changeTitle: 'Modifica la pausa',
    label: 'Sospendi le e-mail per',
    button: 'Sospendi',
    resume: 'Ricevi di nuovo le e-mail ora',
  },
  forms: {
    email: 'Indirizzo e-mail',
    optional: 'facoltativo',
    consent:
      'Iscrivendosi accetta di ricevere e-mail da {projectName}. Può annullare l’iscrizione in qualsiasi momento.',
    step: { title: 'Ancora un passaggio', text: 'Prema il pulsante per inviare il modulo.', button: 'Invia' },
    asked: {
      title: 'Controlli la posta in arrivo',
      text: 'Se l’indirizzo può riceverla, un’e-mail con un link è in arrivo. Apra il link e confermi; solo allora sarà iscritto. Se non arriva nulla, guardi nella cartella dello spam. Al massimo viene inviata un’e-mail del genere al giorno.',
    },
    confirm: { title: 'Confermi la sua iscrizione', button: 'Conferma' },
    over: {
      title: 'Questo link non funziona più',
      text: 'È già stato usato, è scaduto o un’e-mail più recente lo ha sostituito. Compili di nuovo il modulo.',
    },
    closed: { title: 'Questo modulo è chiuso', text: 'Al momento non è disponibile.' },
    faults: {
      email: 'Inserisca un indirizzo e-mail valido.',
      refused: 'Non possiamo inviare e-mail a questo indirizzo. Ne usi un altro.',
      fields: 'Controlli i campi segnalati.',
      tooMany: 'Troppi tentativi. Riprovi più tardi.',
    },
    mail: {
      subject: 'Confermi la sua iscrizione a {projectName}',
      text: 'Qualcuno, speriamo lei, ha chiesto di ricevere e-mail da {projectName} all’indirizzo {email}. Confermi che le desidera.',
      until: 'Il link funziona fino al {date}.',
      ignore: 'Se non è stato lei, ignori questa e-mail. Non riceverà altro.',
    },
  },
  privacy: {
    title: 'I suoi dati',
    offer:
      'Può leggere ciò che {projectName} conserva qui su di lei, o farlo cancellare. Il link arriva per e-mail a {email}, così che nessun altro possa farlo.',
    button: 'Mandami il link',
    asked:
      'Se {email} può riceverla, un’e-mail con il link è in arrivo. Ne viene inviata al massimo una al giorno.',
    mail: {
      subject: 'I suoi dati presso {projectName}',
      text: 'Qualcuno, speriamo lei, ha chiesto ciò che {projectName} conserva su {email}. Il link porta a questi dati e alla loro cancellazione.',
      ignore: 'Se non è stato lei, ignori questa e-mail.',
    },
    read: 'Leggere',
    save: 'Salvare come file (JSON)',
    erase: {
      title: 'Cancellare tutto',
      text: 'Ciò che è conservato qui su {email} viene cancellato per sempre e all’indirizzo non viene più inviato nulla. Non si può annullare.',
      sure: 'Sì, cancellare',
      button: 'Cancellare',
      doneTitle: 'I suoi dati vengono cancellati',
      done: 'Di lei resta solo un codice che permette di riconoscere il suo indirizzo, così che non gli venga più inviato nulla.',
    },
    over: 'È scaduto, o i dati sono già cancellati. I link nelle nostre e-mail portano a uno nuovo.',
    parts: { contact: 'Lei', fields: 'Campi', consent: 'Consenso', events: 'Eventi', messages: 'Messaggi' },
    newest: 'I {number} più recenti. Il file li contiene tutti.',
  },
  faults: {
    brokenTitle: 'Qualcosa è andato storto',
    broken: 'Riprovi tra qualche minuto.',
    testTitle: 'Era una prova',
    test: 'Questo link proviene da un’e-mail di prova. Non è stato cambiato nulla.',
    invalidTitle: 'Questo link non è valido',
    invalid:
      'Potrebbe essere incompleto oppure l’indirizzo è stato rimosso. Apra il link esattamente come appare nell’e-mail.',
    goneTitle: 'Non più disponibile',
    gone: 'Il link è corretto, ma nel frattempo il mittente è passato a un altro sistema di e-mail e questa pagina non è più disponibile.',
    choose: 'Scelga una delle opzioni.',
    notSubscribed: 'Solo un’iscrizione attiva può essere sospesa. Si iscriva prima.',
  },
}
