// The words that recipients see, in one language. In a text `{projectName}` stands for the sender, `{email}` for the recipient's address
import type { SnoozeDuration } from '../contacts'
// and `{date}` for the end of a pause; a test holds every language to the same ones as English.

export interface Locale {
  /** As in `lang` of a page, and for the spelling of dates. */
  code: string
  footer: {
    text: string
    /** The words of the unsubscribe link. */
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
    /** Stands before the state. */
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
  snooze: {
    title: string
    /** For somebody who takes a break already. */
    changeTitle: string
    /** Stands before the durations. */
    label: string
    durations: Record<SnoozeDuration, string>
    button: string
    /** Ends a pause. */
    resume: string
  }
  faults: {
    brokenTitle: string
    /** A failure of ours. */
    broken: string
    invalidTitle: string
    invalid: string
    choose: string
    notSubscribed: string
  }
}
