// The words that recipients see, in one language. In a text `{projectName}` stands for the sender, `{email}` for the recipient's address
import type { SnoozeDuration } from '../contacts'
// and `{date}` for the end of a pause; a test checks that every language has the same ones as English.

export interface Locale {
  /** For the `lang` of a page, and for formatting dates. */
  code: string
  footer: {
    text: string
    /** The text of the unsubscribe link. */
    link: string
  }
  unsubscribe: {
    title: string
    question: string
    button: string
    manageLink: string
    doneTitle: string
    done: string
    changedMind: string
    again: string
  }
  subscribe: {
    title: string
    question: string
    button: string
    doneTitle: string
    done: string
  }
  manage: {
    title: string
    description: string
    /** Comes before the state. */
    label: string
    subscribed: string
    unsubscribed: string
    paused: string
    subscribedNote: string
    unsubscribedNote: string
    pausedNote: string
    unsubscribeLink: string
    subscribeLink: string
    disclaimer: string
  }
  /** Where a project sends several kinds of mail; `{topic}` is the name of one. */
  topics: {
    title: string
    question: string
    everything: string
  }
  snooze: {
    title: string
    /** For somebody who is taking a break already. */
    changeTitle: string
    /** Comes before the durations. */
    label: string
    durations: Record<SnoozeDuration, string>
    button: string
    /** Ends a pause. */
    resume: string
  }
  /** Forms by which people subscribe themselves, and the mail that asks whether it was them. */
  forms: {
    /** The label of the address. */
    email: string
    /** Stands behind the label of a field that may stay empty. */
    optional: string
    /** What people agree to, unless the form has words of its own. */
    consent: string
    /** The page between, for forms on other pages. */
    step: { title: string; text: string; button: string }
    asked: { title: string; text: string }
    confirm: { title: string; button: string }
    /** A link that is no longer good. */
    over: { title: string; text: string }
    closed: { title: string; text: string }
    faults: { email: string; refused: string; fields: string; tooMany: string }
    mail: { subject: string; text: string; until: string; ignore: string }
  }
  /** A copy of what is kept about somebody, and its erasure. */
  privacy: {
    title: string
    /** On the page of the subscription. */
    offer: string
    button: string
    asked: string
    mail: { subject: string; text: string; ignore: string }
    read: string
    save: string
    erase: { title: string; text: string; sure: string; button: string; doneTitle: string; done: string }
    /** A link that is no longer good. */
    over: string
    /** The parts of the copy. */
    parts: { contact: string; fields: string; consent: string; events: string; messages: string }
    /** Says that there are more than the `{number}` that are shown. */
    newest: string
  }
  faults: {
    brokenTitle: string
    /** An error on our side. */
    broken: string
    /** Of a link in a test mail. */
    testTitle: string
    test: string
    invalidTitle: string
    invalid: string
    /** Of what another program showed, and is not here. */
    goneTitle: string
    gone: string
    choose: string
    notSubscribed: string
  }
}
