// Portuguese.
import type { Locale } from './en'

export const pt: Locale = {
  code: 'pt',
  footer: 'Recebeu este e-mail porque aceitou receber e-mails de {projectName}.',
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
    button: 'Suspender',
    resume: 'Voltar a receber e-mails agora',
  },
  forms: {
    email: 'Endereço de e-mail',
    optional: 'opcional',
    consent:
      'Ao subscrever, aceita receber e-mails de {projectName}. Pode cancelar a subscrição a qualquer momento.',
    step: { title: 'Só mais um passo', text: 'Prima o botão para enviar o formulário.', button: 'Enviar' },
    asked: {
      title: 'Veja a sua caixa de entrada',
      text: 'Se o endereço o puder receber, um e-mail com uma ligação está a caminho. Abra a ligação e confirme; só então fica subscrito. Se nada chegar, veja na pasta de spam. No máximo é enviado um e-mail destes por dia.',
    },
    confirm: { title: 'Confirme a sua subscrição', button: 'Confirmar' },
    over: {
      title: 'Esta ligação já não funciona',
      text: 'Já foi usada, expirou ou foi substituída por um e-mail mais recente. Preencha o formulário novamente.',
    },
    closed: { title: 'Este formulário está fechado', text: 'Não está disponível neste momento.' },
    faults: {
      email: 'Introduza um endereço de e-mail válido.',
      refused: 'Não podemos enviar e-mails para este endereço. Use outro.',
      fields: 'Verifique os campos assinalados.',
      tooMany: 'Demasiadas tentativas. Tente novamente mais tarde.',
    },
    mail: {
      subject: 'Confirme a sua subscrição de {projectName}',
      text: 'Alguém, esperamos que tenha sido o próprio, pediu e-mails de {projectName} para {email}. Confirme que os deseja.',
      until: 'A ligação funciona até {date}.',
      ignore: 'Se não foi você, ignore este e-mail. Não receberá mais nada.',
    },
  },
  privacy: {
    title: 'Os seus dados',
    offer:
      'Pode ler o que {projectName} guarda aqui sobre si, ou pedir que seja apagado. A ligação chega por e-mail a {email}, para que mais ninguém o possa fazer.',
    button: 'Enviar-me a ligação',
    asked:
      'Se {email} o puder receber, um e-mail com a ligação está a caminho. É enviado no máximo um por dia.',
    mail: {
      subject: 'Os seus dados em {projectName}',
      text: 'Alguém, esperamos que tenha sido o próprio, pediu o que {projectName} guarda sobre {email}. A ligação leva até lá, e à eliminação.',
      ignore: 'Se não foi você, ignore este e-mail.',
    },
    read: 'Ler',
    save: 'Guardar como ficheiro (JSON)',
    erase: {
      title: 'Apagar tudo',
      text: 'O que é guardado aqui sobre {email} é eliminado para sempre, e nada mais é enviado para o endereço. Não é possível anular.',
      sure: 'Sim, apagar',
      button: 'Apagar',
      doneTitle: 'Os seus dados estão a ser apagados',
      done: 'De si fica apenas um código pelo qual o seu endereço é reconhecido, para que nada mais lhe seja enviado.',
    },
    over: 'Expirou, ou os dados já foram apagados. As ligações nos nossos e-mails levam a uma nova.',
    parts: {
      contact: 'Você',
      fields: 'Campos',
      consent: 'Consentimento',
      events: 'Eventos',
      messages: 'Mensagens',
    },
    newest: 'Os {number} mais recentes. O ficheiro contém todos.',
  },
  faults: {
    brokenTitle: 'Ocorreu um erro',
    broken: 'Tente novamente dentro de alguns minutos.',
    testTitle: 'Isto foi um teste',
    test: 'Esta ligação vem de um e-mail de teste. Nada foi alterado.',
    invalidTitle: 'Esta ligação não é válida',
    invalid:
      'Pode estar incompleta, ou o endereço foi removido. Abra a ligação exatamente como está no e-mail.',
    goneTitle: 'Não está mais disponível',
    gone: 'O link está correto, mas o remetente passou a usar outro sistema de e-mail e esta página não está mais disponível.',
    choose: 'Escolha uma das opções.',
    notSubscribed: 'Só uma subscrição ativa pode ser suspensa. Subscreva primeiro.',
  },
}
