// Welsh.
import type { Locale } from './en'

export const cy: Locale = {
  code: 'cy',
  footer: 'Rydych wedi derbyn yr e-bost hwn oherwydd i chi gytuno i dderbyn e-byst gan {projectName}.',
  unsubscribe: {
    title: 'Dad-danysgrifio',
    question: 'Ydych chi am roi’r gorau i dderbyn e-byst gan {projectName} yn {email}?',
    button: 'Dad-danysgrifio',
    manageLink: 'Rheoli eich tanysgrifiad yn lle hynny',
    doneTitle: 'Rydych wedi dad-danysgrifio',
    done: 'Ni fyddwch yn derbyn rhagor o gylchlythyrau gan {projectName} yn {email}.',
    changedMind: 'Wedi newid eich meddwl?',
    again: 'Tanysgrifio eto',
  },
  subscribe: {
    title: 'Tanysgrifio',
    question: 'Ydych chi am dderbyn e-byst gan {projectName} yn {email}?',
    button: 'Tanysgrifio',
    doneTitle: 'Rydych wedi tanysgrifio',
    done: 'Byddwch yn derbyn e-byst gan {projectName} yn {email}.',
  },
  manage: {
    title: 'Rheoli eich tanysgrifiad',
    description: 'Penderfynwch a ydych am dderbyn e-byst gan {projectName} yn {email}.',
    label: 'Eich tanysgrifiad',
    subscribed: 'Rydych wedi tanysgrifio.',
    unsubscribed: 'Rydych wedi dad-danysgrifio.',
    paused: 'Mae’r e-byst wedi’u hoedi tan {date}.',
    subscribedNote: 'Mae eich dewis wedi’i gadw. Byddwch yn derbyn e-byst eto.',
    unsubscribedNote: 'Mae eich dewis wedi’i gadw. Ni fyddwch yn derbyn rhagor o gylchlythyrau.',
    pausedNote: 'Mae eich dewis wedi’i gadw. Ni fyddwch yn derbyn cylchlythyrau tan {date}.',
    unsubscribeLink: 'Agor y dudalen dad-danysgrifio',
    subscribeLink: 'Agor y dudalen danysgrifio',
    disclaimer:
      'Mae hyn yn ymwneud â chylchlythyrau a chynigion. Mae’n bosibl y byddwch yn dal i dderbyn negeseuon am eich cyfrif neu eich archebion, fel derbynebau ac ailosod cyfrinair.',
  },
  topics: {
    title: 'Yr hyn rydych chi’n ei dderbyn',
    question: 'Ydych chi am roi’r gorau i dderbyn “{topic}” gan {projectName} yn {email}?',
    everything: 'Dad-danysgrifio o bopeth',
  },
  snooze: {
    title: 'Neu cymerwch seibiant',
    changeTitle: 'Newid y seibiant',
    label: 'Oedi’r e-byst am',
    button: 'Oedi',
    resume: 'Derbyn e-byst eto nawr',
  },
  forms: {
    email: 'Cyfeiriad e-bost',
    optional: 'dewisol',
    consent:
      'Drwy danysgrifio rydych yn cytuno i dderbyn e-byst gan {projectName}. Gallwch ddad-danysgrifio unrhyw bryd.',
    step: { title: 'Un cam arall', text: 'Pwyswch y botwm i anfon y ffurflen.', button: 'Anfon' },
    asked: {
      title: 'Edrychwch yn eich mewnflwch',
      text: 'Os gall y cyfeiriad ei dderbyn, mae e-bost gyda dolen ar ei ffordd. Agorwch y ddolen a chadarnhewch; dim ond wedyn y byddwch wedi tanysgrifio. Os na ddaw dim, edrychwch yn y ffolder sbam. Anfonir un e-bost o’r fath y dydd ar y mwyaf.',
    },
    confirm: { title: 'Cadarnhewch eich tanysgrifiad', button: 'Cadarnhau' },
    over: {
      title: 'Nid yw’r ddolen hon yn gweithio mwyach',
      text: 'Mae wedi’i defnyddio, wedi dod i ben, neu mae e-bost mwy newydd wedi cymryd ei lle. Llenwch y ffurflen eto.',
    },
    closed: { title: 'Mae’r ffurflen hon ar gau', text: 'Nid yw ar gael ar hyn o bryd.' },
    faults: {
      email: 'Rhowch gyfeiriad e-bost dilys.',
      refused: 'Ni allwn anfon e-byst i’r cyfeiriad hwn. Defnyddiwch un arall.',
      fields: 'Gwiriwch y meysydd a nodwyd.',
      tooMany: 'Gormod o ymdrechion. Rhowch gynnig arall arni yn nes ymlaen.',
    },
    mail: {
      subject: 'Cadarnhewch eich tanysgrifiad i {projectName}',
      text: 'Gofynnodd rhywun, chi gobeithio, am e-byst gan {projectName} i {email}. Cadarnhewch eich bod am eu cael.',
      until: 'Mae’r ddolen yn gweithio tan {date}.',
      ignore: 'Os nad chi oedd, anwybyddwch yr e-bost hwn. Ni fyddwch yn derbyn dim arall.',
    },
  },
  privacy: {
    title: 'Eich data',
    offer:
      'Gallwch ddarllen yr hyn y mae {projectName} yn ei gadw amdanoch yma, neu gael ei ddileu. Daw’r ddolen mewn e-bost i {email}, fel na all neb arall wneud hynny.',
    button: 'Anfonwch y ddolen ataf',
    asked: 'Os gall {email} ei dderbyn, mae e-bost gyda’r ddolen ar ei ffordd. Anfonir un y dydd ar y mwyaf.',
    mail: {
      subject: 'Eich data gyda {projectName}',
      text: 'Gofynnodd rhywun, chi gobeithio, am yr hyn y mae {projectName} yn ei gadw am {email}. Mae’r ddolen yn arwain ato, ac at ei ddileu.',
      ignore: 'Os nad chi oedd hyn, anwybyddwch yr e-bost hwn.',
    },
    read: 'Ei ddarllen',
    save: 'Ei gadw fel ffeil (JSON)',
    erase: {
      title: 'Dileu popeth',
      text: 'Caiff yr hyn a gedwir yma am {email} ei ddileu am byth, ac ni anfonir dim arall i’r cyfeiriad. Ni ellir dadwneud hyn.',
      sure: 'Ie, dileu',
      button: 'Dileu',
      doneTitle: 'Mae eich data’n cael ei ddileu',
      done: 'Nid oes dim amdanoch yn aros ond cod i adnabod eich cyfeiriad, fel na anfonir dim arall ato.',
    },
    over: 'Mae wedi dod i ben, neu mae’r data eisoes wedi’i ddileu. Mae’r dolenni yn ein e-byst yn arwain at un newydd.',
    parts: {
      contact: 'Chi',
      fields: 'Meysydd',
      consent: 'Caniatâd',
      events: 'Digwyddiadau',
      messages: 'Negeseuon',
    },
    newest: 'Y {number} diweddaraf. Mae’r ffeil yn cynnwys pob un.',
  },
  faults: {
    brokenTitle: 'Aeth rhywbeth o’i le',
    broken: 'Rhowch gynnig arall arni ymhen ychydig funudau.',
    testTitle: 'Prawf oedd hwn',
    test: 'Daw’r ddolen hon o e-bost prawf. Ni newidiwyd dim.',
    invalidTitle: 'Nid yw’r ddolen hon yn ddilys',
    invalid:
      'Efallai ei bod yn anghyflawn, neu fod y cyfeiriad wedi’i ddileu. Agorwch y ddolen yn union fel y mae yn yr e-bost.',
    goneTitle: 'Ddim ar gael bellach',
    gone: 'Mae’r ddolen yn gywir, ond mae’r anfonwr wedi symud i system e-bost arall ers hynny, ac nid yw’r dudalen hon ar gael bellach.',
    choose: 'Dewiswch un o’r opsiynau.',
    notSubscribed: 'Dim ond tanysgrifiad gweithredol y gellir ei oedi. Tanysgrifiwch yn gyntaf.',
  },
}
