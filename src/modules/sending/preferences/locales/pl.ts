// Polish.
import type { Locale } from './en'

export const pl: Locale = {
  code: 'pl',
  footer: 'Otrzymujesz tę wiadomość, ponieważ wyrażono zgodę na otrzymywanie wiadomości od {projectName}.',
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
    button: 'Wstrzymaj',
    resume: 'Otrzymuj wiadomości od teraz',
  },
  forms: {
    email: 'Adres e-mail',
    optional: 'opcjonalnie',
    consent:
      'Zapisując się, zgadzasz się na otrzymywanie e-maili od {projectName}. Możesz zrezygnować w każdej chwili.',
    step: { title: 'Jeszcze jeden krok', text: 'Naciśnij przycisk, aby wysłać formularz.', button: 'Wyślij' },
    asked: {
      title: 'Sprawdź skrzynkę odbiorczą',
      text: 'Jeśli adres może ją odebrać, wiadomość z linkiem jest już w drodze. Otwórz link i potwierdź; dopiero wtedy będziesz na liście. Jeśli nic nie przyjdzie, sprawdź folder ze spamem. Wysyłamy najwyżej jedną taką wiadomość dziennie.',
    },
    confirm: { title: 'Potwierdź subskrypcję', button: 'Potwierdź' },
    over: {
      title: 'Ten link już nie działa',
      text: 'Został użyty, wygasł lub zastąpiła go nowsza wiadomość. Wypełnij formularz ponownie.',
    },
    closed: { title: 'Ten formularz jest zamknięty', text: 'W tej chwili nie jest dostępny.' },
    faults: {
      email: 'Podaj prawidłowy adres e-mail.',
      refused: 'Na ten adres nie możemy wysyłać wiadomości. Użyj innego.',
      fields: 'Sprawdź zaznaczone pola.',
      tooMany: 'Zbyt wiele prób. Spróbuj ponownie później.',
    },
    mail: {
      subject: 'Potwierdź subskrypcję {projectName}',
      text: 'Ktoś, mamy nadzieję, że Ty, poprosił o e-maile od {projectName} na adres {email}. Potwierdź, że chcesz je otrzymywać.',
      until: 'Link działa do {date}.',
      ignore: 'Jeśli to nie Ty, zignoruj tę wiadomość. Nic więcej nie otrzymasz.',
    },
  },
  privacy: {
    title: 'Twoje dane',
    offer:
      'Możesz przeczytać, co {projectName} przechowuje tu o Tobie, lub zlecić usunięcie tych danych. Link przyjdzie e-mailem na adres {email}, aby nikt inny nie mógł tego zrobić.',
    button: 'Wyślij mi link',
    asked: 'Jeśli {email} może go odebrać, e-mail z linkiem jest w drodze. Wysyłamy najwyżej jeden dziennie.',
    mail: {
      subject: 'Twoje dane w {projectName}',
      text: 'Ktoś, mamy nadzieję, że Ty, poprosił o to, co {projectName} przechowuje o {email}. Link prowadzi do tych danych i do ich usunięcia.',
      ignore: 'Jeśli to nie Ty, zignoruj tę wiadomość.',
    },
    read: 'Przeczytaj',
    save: 'Zapisz jako plik (JSON)',
    erase: {
      title: 'Usuń wszystko',
      text: 'To, co jest tu przechowywane o {email}, zostanie trwale usunięte, a na ten adres nic więcej nie wyślemy. Tego nie można cofnąć.',
      sure: 'Tak, usuń',
      button: 'Usuń',
      doneTitle: 'Twoje dane są usuwane',
      done: 'Pozostaje po Tobie tylko kod, po którym rozpoznajemy adres, aby nic więcej na niego nie wysłać.',
    },
    over: 'Wygasł albo dane zostały już usunięte. Linki w naszych wiadomościach prowadzą do nowego.',
    parts: { contact: 'Ty', fields: 'Pola', consent: 'Zgoda', events: 'Zdarzenia', messages: 'Wiadomości' },
    newest: 'Najnowsze {number}. Plik zawiera wszystkie.',
  },
  faults: {
    brokenTitle: 'Coś poszło nie tak',
    broken: 'Spróbuj ponownie za kilka minut.',
    testTitle: 'To był test',
    test: 'Ten link pochodzi z testowej wiadomości. Nic nie zostało zmienione.',
    invalidTitle: 'Ten link jest nieprawidłowy',
    invalid:
      'Może być niepełny albo adres został usunięty. Otwórz link dokładnie w takiej postaci, w jakiej jest w wiadomości.',
    goneTitle: 'Strona nie jest już dostępna',
    gone: 'Link jest poprawny, ale nadawca korzysta teraz z innego systemu pocztowego i ta strona nie jest już dostępna.',
    choose: 'Wybierz jedną z możliwości.',
    notSubscribed: 'Wstrzymać można tylko aktywną subskrypcję. Najpierw się zapisz.',
  },
}
