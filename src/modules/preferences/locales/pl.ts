// Polish.
import type { Locale } from '../locale'

export const pl: Locale = {
  code: 'pl',
  footer: {
    text: 'Otrzymujesz tę wiadomość, ponieważ wyrażono zgodę na otrzymywanie wiadomości od {projectName}.',
    link: 'Wypisz się',
  },
  unsubscribe: {
    title: 'Rezygnacja z subskrypcji',
    question: 'Czy chcesz przestać otrzymywać wiadomości od {projectName} na adres {email}?',
    button: 'Wypisz się',
    manageLink: 'Zamiast tego zarządzaj subskrypcją',
    doneTitle: 'Subskrypcja została anulowana',
    done: 'Nie będziesz już otrzymywać newsletterów od {projectName} na adres {email}.',
    changedMind: 'Chcesz zmienić decyzję?',
    again: 'Zapisz się ponownie',
  },
  subscribe: {
    title: 'Subskrypcja',
    question: 'Czy chcesz otrzymywać wiadomości od {projectName} na adres {email}?',
    button: 'Zapisz się',
    doneTitle: 'Subskrypcja jest aktywna',
    done: 'Będziesz otrzymywać wiadomości od {projectName} na adres {email}.',
  },
  manage: {
    title: 'Zarządzanie subskrypcją',
    description: 'Zdecyduj, czy chcesz otrzymywać wiadomości od {projectName} na adres {email}.',
    label: 'Twoja subskrypcja',
    subscribed: 'Subskrypcja jest aktywna.',
    unsubscribed: 'Subskrypcja jest anulowana.',
    paused: 'Wiadomości są wstrzymane do {date}.',
    subscribedNote: 'Twój wybór został zapisany. Znów będziesz otrzymywać wiadomości.',
    unsubscribedNote: 'Twój wybór został zapisany. Nie będziesz już otrzymywać newsletterów.',
    pausedNote: 'Twój wybór został zapisany. Do {date} nie będziesz otrzymywać newsletterów.',
    unsubscribeLink: 'Przejdź do strony rezygnacji',
    subscribeLink: 'Przejdź do strony zapisu',
    disclaimer:
      'Dotyczy to newsletterów i ofert. Wiadomości o Twoim koncie lub zamówieniach, na przykład potwierdzenia i resetowanie hasła, mogą być nadal wysyłane.',
  },
  topics: {
    title: 'Co otrzymujesz',
    question: 'Czy nie chcesz już otrzymywać „{topic}” od {projectName} na adres {email}?',
    everything: 'Wypisz się ze wszystkiego',
  },
  snooze: {
    title: 'Możesz też zrobić przerwę',
    changeTitle: 'Zmień przerwę',
    label: 'Wstrzymaj wiadomości na',
    durations: {
      '2_weeks': '2 tygodnie',
      '1_month': '1 miesiąc',
      '6_months': '6 miesięcy',
      '1_year': '1 rok',
    },
    button: 'Wstrzymaj',
    resume: 'Otrzymuj wiadomości od teraz',
  },
  faults: {
    brokenTitle: 'Coś poszło nie tak',
    broken: 'Spróbuj ponownie za kilka minut.',
    invalidTitle: 'Ten link jest nieprawidłowy',
    invalid:
      'Może być niepełny albo adres został usunięty. Otwórz link dokładnie w takiej postaci, w jakiej jest w wiadomości.',
    choose: 'Wybierz jedną z możliwości.',
    notSubscribed: 'Wstrzymać można tylko aktywną subskrypcję. Najpierw się zapisz.',
  },
}
