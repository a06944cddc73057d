// Portuguese.
import type { Locale } from '../locale'

export const pt: Locale = {
  code: 'pt',
  footer: {
    text: 'Recebeu este e-mail porque aceitou receber e-mails de {projectName}.',
    link: 'Cancelar subscrição',
  },
  unsubscribe: {
    title: 'Cancelar a subscrição',
    question: 'Quer deixar de receber e-mails de {projectName} em {email}?',
    button: 'Cancelar a subscrição',
    manageLink: 'Em vez disso, gerir a subscrição',
    doneTitle: 'A sua subscrição foi cancelada',
    done: 'Não receberá mais newsletters de {projectName} em {email}.',
    changedMind: 'Mudou de ideias?',
    again: 'Subscrever novamente',
  },
  subscribe: {
    title: 'Subscrever',
    question: 'Quer receber e-mails de {projectName} em {email}?',
    button: 'Subscrever',
    doneTitle: 'A sua subscrição está ativa',
    done: 'Receberá e-mails de {projectName} em {email}.',
  },
  manage: {
    title: 'Gerir a sua subscrição',
    description: 'Decida se recebe e-mails de {projectName} em {email}.',
    label: 'A sua subscrição',
    subscribed: 'A sua subscrição está ativa.',
    unsubscribed: 'A sua subscrição está cancelada.',
    paused: 'Os e-mails estão suspensos até {date}.',
    subscribedNote: 'A sua escolha foi guardada. Voltará a receber e-mails.',
    unsubscribedNote: 'A sua escolha foi guardada. Não receberá mais newsletters.',
    pausedNote: 'A sua escolha foi guardada. Não receberá newsletters até {date}.',
    unsubscribeLink: 'Abrir a página de cancelamento',
    subscribeLink: 'Abrir a página de subscrição',
    disclaimer:
      'Trata-se aqui de newsletters e promoções. As mensagens sobre a sua conta ou as suas encomendas, como recibos e a reposição da palavra-passe, podem continuar a ser-lhe enviadas.',
  },
  topics: {
    title: 'O que você recebe',
    question: 'Deseja deixar de receber “{topic}” de {projectName} em {email}?',
    everything: 'Cancelar tudo',
  },
  snooze: {
    title: 'Fazer antes uma pausa',
    changeTitle: 'Alterar a pausa',
    label: 'Suspender os e-mails durante',
    durations: {
      '2_weeks': '2 semanas',
      '1_month': '1 mês',
      '6_months': '6 meses',
      '1_year': '1 ano',
    },
    button: 'Suspender',
    resume: 'Voltar a receber e-mails agora',
  },
  faults: {
    brokenTitle: 'Ocorreu um erro',
    broken: 'Tente novamente dentro de alguns minutos.',
    invalidTitle: 'Esta ligação não é válida',
    invalid:
      'Pode estar incompleta, ou o endereço foi removido. Abra a ligação exatamente como está no e-mail.',
    choose: 'Escolha uma das opções.',
    notSubscribed: 'Só uma subscrição ativa pode ser suspensa. Subscreva primeiro.',
  },
}
