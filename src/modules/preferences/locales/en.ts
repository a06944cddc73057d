// English.
import type { Locale } from '../locale'

export const en: Locale = {
  code: 'en',
  footer: {
    text: 'You received this email because you agreed to receive email from {projectName}.',
    link: 'Unsubscribe',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    question: 'Do you want to stop receiving emails from {projectName} at {email}?',
    button: 'Unsubscribe',
    manageLink: 'Manage your subscription instead',
    doneTitle: 'You are unsubscribed',
    done: 'You will receive no more newsletters from {projectName} at {email}.',
    changedMind: 'Changed your mind?',
    again: 'Subscribe again',
  },
  subscribe: {
    title: 'Subscribe',
    question: 'Do you want to receive emails from {projectName} at {email}?',
    button: 'Subscribe',
    doneTitle: 'You are subscribed',
    done: 'You will receive emails from {projectName} at {email}.',
  },
  manage: {
    title: 'Manage your subscription',
    description: 'Decide whether you receive emails from {projectName} at {email}.',
    label: 'Your subscription',
    subscribed: 'You are subscribed.',
    unsubscribed: 'You are unsubscribed.',
    paused: 'Emails are paused until {date}.',
    subscribedNote: 'Your choice is saved. You will receive emails again.',
    unsubscribedNote: 'Your choice is saved. You will receive no more newsletters.',
    pausedNote: 'Your choice is saved. You will receive no newsletters until {date}.',
    unsubscribeLink: 'Open the unsubscribe page',
    subscribeLink: 'Open the subscribe page',
    disclaimer:
      'This is about newsletters and offers. Messages about your account or your orders, such as receipts and password resets, may still be sent to you.',
  },
  topics: {
    title: 'What you receive',
    question: 'Do you want to stop receiving “{topic}” from {projectName} at {email}?',
    everything: 'Unsubscribe from everything',
  },
  snooze: {
    title: 'Take a break instead',
    changeTitle: 'Change the pause',
    label: 'Pause emails for',
    durations: {
      '2_weeks': '2 weeks',
      '1_month': '1 month',
      '6_months': '6 months',
      '1_year': '1 year',
    },
    button: 'Pause',
    resume: 'Receive emails again now',
  },
  faults: {
    brokenTitle: 'Something went wrong',
    broken: 'Please try again in a few minutes.',
    invalidTitle: 'This link is not valid',
    invalid:
      'It may be incomplete, or the address has been removed. Please open the link exactly as it stands in the email.',
    choose: 'Please choose one of the options.',
    notSubscribed: 'Only a subscription can be paused. Please subscribe first.',
  },
}
