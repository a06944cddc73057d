// Czech.
import type { Locale } from '../locale'

export const cs: Locale = {
  code: 'cs',
  footer: {
    text: 'Tento e-mail jste obdrželi, protože jste souhlasili se zasíláním e-mailů od {projectName}.',
    link: 'Odhlásit odběr',
  },
  unsubscribe: {
    title: 'Odhlášení odběru',
    question: 'Chcete na adrese {email} přestat dostávat e-maily od {projectName}?',
    button: 'Odhlásit odběr',
    manageLink: 'Raději spravovat odběr',
    doneTitle: 'Odběr je odhlášen',
    done: 'Na adresu {email} už vám newslettery od {projectName} chodit nebudou.',
    changedMind: 'Rozmysleli jste si to?',
    again: 'Znovu přihlásit odběr',
  },
  subscribe: {
    title: 'Přihlášení odběru',
    question: 'Chcete na adrese {email} dostávat e-maily od {projectName}?',
    button: 'Přihlásit odběr',
    doneTitle: 'Odběr je přihlášen',
    done: 'Na adresu {email} vám budou chodit e-maily od {projectName}.',
  },
  manage: {
    title: 'Správa odběru',
    description: 'Rozhodněte, zda chcete na adrese {email} dostávat e-maily od {projectName}.',
    label: 'Váš odběr',
    subscribed: 'Odběr je přihlášen.',
    unsubscribed: 'Odběr je odhlášen.',
    paused: 'E-maily jsou pozastaveny do {date}.',
    subscribedNote: 'Vaše volba je uložena. E-maily vám budou opět chodit.',
    unsubscribedNote: 'Vaše volba je uložena. Newslettery už vám chodit nebudou.',
    pausedNote: 'Vaše volba je uložena. Do {date} vám newslettery chodit nebudou.',
    unsubscribeLink: 'Otevřít stránku pro odhlášení',
    subscribeLink: 'Otevřít stránku pro přihlášení',
    disclaimer:
      'Týká se to newsletterů a nabídek. Zprávy o vašem účtu nebo objednávkách, například účtenky a obnovení hesla, vám mohou chodit i nadále.',
  },
  topics: {
    title: 'Co dostáváte',
    question: 'Nechcete už na adresu {email} dostávat „{topic}“ od {projectName}?',
    everything: 'Odhlásit se ze všeho',
  },
  snooze: {
    title: 'Raději si dát pauzu',
    changeTitle: 'Změnit pauzu',
    label: 'Pozastavit e-maily na',
    durations: {
      '2_weeks': '2 týdny',
      '1_month': '1 měsíc',
      '6_months': '6 měsíců',
      '1_year': '1 rok',
    },
    button: 'Pozastavit',
    resume: 'Znovu dostávat e-maily hned',
  },
  forms: {
    email: 'E-mailová adresa',
    optional: 'nepovinné',
    consent: 'Přihlášením souhlasíte se zasíláním e-mailů od {projectName}. Odhlásit se můžete kdykoli.',
    step: {
      title: 'Ještě jeden krok',
      text: 'Stisknutím tlačítka formulář odešlete.',
      button: 'Odeslat',
    },
    asked: {
      title: 'Podívejte se do schránky',
      text: 'Pokud ho adresa může přijmout, e-mail s odkazem je na cestě. Otevřete odkaz a potvrďte; teprve pak jste přihlášeni. Pokud nic nepřijde, podívejte se do spamu. Odesíláme nejvýše jeden takový e-mail denně.',
    },
    confirm: {
      title: 'Potvrďte odběr',
      button: 'Potvrdit',
    },
    over: {
      title: 'Tento odkaz už nefunguje',
      text: 'Byl použit, vypršel nebo ho nahradil novější e-mail. Vyplňte prosím formulář znovu.',
    },
    closed: {
      title: 'Tento formulář je uzavřen',
      text: 'V tuto chvíli není k dispozici.',
    },
    faults: {
      email: 'Zadejte platnou e-mailovou adresu.',
      refused: 'Na tuto adresu nemůžeme posílat e-maily. Použijte prosím jinou.',
      fields: 'Zkontrolujte označená pole.',
      tooMany: 'Příliš mnoho pokusů. Zkuste to prosím později.',
    },
    mail: {
      subject: 'Potvrďte odběr od {projectName}',
      text: 'Někdo, doufáme že vy, požádal o e-maily od {projectName} na adresu {email}. Potvrďte, že je chcete.',
      until: 'Odkaz funguje do {date}.',
      ignore: 'Pokud jste to nebyli vy, e-mail ignorujte. Nic dalšího nedostanete.',
    },
  },
  privacy: {
    title: 'Vaše údaje',
    offer:
      'Můžete si přečíst, co o vás {projectName} uchovává, nebo to nechat vymazat. Odkaz přijde e-mailem na {email}, aby to nemohl nikdo jiný.',
    button: 'Poslat mi odkaz',
    asked: 'Pokud jej {email} může přijmout, e-mail s odkazem je na cestě. Posílá se nejvýše jeden denně.',
    mail: {
      subject: 'Vaše údaje u {projectName}',
      text: 'Někdo, doufáme že vy, požádal o to, co {projectName} uchovává o {email}. Odkaz vede k těmto údajům a k jejich výmazu.',
      ignore: 'Pokud jste to nebyli vy, e-mail ignorujte.',
    },
    read: 'Přečíst',
    save: 'Uložit jako soubor (JSON)',
    erase: {
      title: 'Vymazat vše',
      text: 'Co se tu uchovává o {email}, bude nadobro smazáno a na adresu se už nic nepošle. Nelze to vrátit zpět.',
      sure: 'Ano, vymazat',
      button: 'Vymazat',
      doneTitle: 'Vaše údaje se mažou',
      done: 'Zůstane po vás jen kód, podle kterého se vaše adresa pozná, aby se na ni už nic neposlalo.',
    },
    over: 'Vypršel, nebo jsou údaje už vymazány. Odkazy v našich e-mailech vedou k novému.',
    parts: { contact: 'Vy', fields: 'Pole', consent: 'Souhlas', events: 'Události', messages: 'Zprávy' },
    newest: 'Nejnovějších {number}. Soubor obsahuje všechny.',
  },
  faults: {
    brokenTitle: 'Něco se nepovedlo',
    broken: 'Zkuste to prosím znovu za několik minut.',
    testTitle: 'Toto byl test',
    test: 'Tento odkaz pochází z testovacího e-mailu. Nic se nezměnilo.',
    invalidTitle: 'Tento odkaz není platný',
    invalid:
      'Možná je neúplný nebo byla adresa odstraněna. Otevřete prosím odkaz přesně tak, jak je uveden v e-mailu.',
    goneTitle: 'Už není k dispozici',
    gone: 'Odkaz je správný, ale odesílatel mezitím přešel na jiný e-mailový systém a tato stránka už není k dispozici.',
    choose: 'Vyberte prosím jednu z možností.',
    notSubscribed: 'Pozastavit lze jen přihlášený odběr. Nejprve jej prosím přihlaste.',
  },
}
