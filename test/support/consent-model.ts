// What a person gets, told from what happened alone: the words of the documentation once more, sharing nothing with the program. Each way in has one
// function. Pure.

export type Standing = 'notAsked' | 'subscribed' | 'snoozed' | 'optedOut'

/** What a mail is about: no topic, one that holds until somebody leaves it, or one that holds for those who join. */
export const subjects = ['all', 'in', 'out'] as const
export type Subject = (typeof subjects)[number]
export type TopicName = Exclude<Subject, 'all'>

export interface ModelledPerson {
  /** Undefined while there is no contact. */
  standing: Standing | undefined
  /** What they decided about topics. */
  topics: Partial<Record<TopicName, boolean>>
  snoozedUntil: number
  /** Nothing is sent to the address, whoever has it: because it bounced, or because somebody was erased who had it. */
  isSuppressed: boolean
}

export function newPerson(subscribed?: boolean): ModelledPerson {
  const standing = subscribed === undefined ? undefined : subscribed ? 'subscribed' : 'notAsked'
  return { standing, topics: {}, snoozedUntil: 0, isSuppressed: false }
}

export const holdsTopic = ({ topics }: ModelledPerson, topic: TopicName): boolean =>
  topics[topic] ?? topic === 'in'

/** Whether the person's consent allows mail about it. */
export const agreesTo = (person: ModelledPerson, about: Subject): boolean =>
  person.standing === 'subscribed' && (about === 'all' || holdsTopic(person, about))

export const mayGet = (person: ModelledPerson, about: Subject): boolean =>
  !person.isSuppressed && agreesTo(person, about)

const isSaidNo = ({ standing }: ModelledPerson): boolean => standing === 'optedOut' || standing === 'snoozed'

/** A request says a yes or no; what was never asked and is told no stays never asked. */
export function setByRequest(person: ModelledPerson, yes: boolean): void {
  if (yes) person.standing = 'subscribed'
  else person.standing = (person.standing ?? 'notAsked') === 'notAsked' ? 'notAsked' : 'optedOut'
}

/** A file, or the public key of a project that keeps opt-outs: a yes brings nobody back. */
export function setByStranger(person: ModelledPerson, yes: boolean): void {
  if (!(yes && isSaidNo(person))) setByRequest(person, yes)
}

/** Named without a word about consent: who is new gets the state that this way in gives. */
export function mention(person: ModelledPerson, fresh: Standing): void {
  person.standing ??= fresh
}

/** The person themselves, or a complaint. */
export function decide(person: ModelledPerson, yes: boolean): void {
  if (person.standing) person.standing = yes ? 'subscribed' : 'optedOut'
}

export function bounce(person: ModelledPerson, suppresses: boolean): void {
  if (suppresses) person.isSuppressed = true
  if (person.standing && person.standing !== 'notAsked') person.standing = 'optedOut'
}

export function takeBreak(person: ModelledPerson, until: number): void {
  if (person.standing !== 'subscribed' && person.standing !== 'snoozed') return
  Object.assign(person, { standing: 'snoozed', snoozedUntil: until })
}

export function wake(person: ModelledPerson, now: number): void {
  if (person.standing === 'snoozed' && person.snoozedUntil <= now) person.standing = 'subscribed'
}

export function setTopic(person: ModelledPerson, topic: TopicName, yes: boolean): void {
  if (person.standing) person.topics[topic] = yes
}

export function importTopic(person: ModelledPerson, topic: TopicName, yes: boolean): void {
  mention(person, 'subscribed')
  if (yes && (person.topics[topic] === false || isSaidNo(person))) return
  person.topics[topic] = yes
}

/** By the link of a form, which is the person's own word about everything and about the form's topic. */
export function confirmForm(person: ModelledPerson, about: Subject): void {
  person.standing = 'subscribed'
  if (about !== 'all') person.topics[about] = true
}

export function erase(person: ModelledPerson): void {
  Object.assign(person, newPerson(), { isSuppressed: true })
}

export function lift(person: ModelledPerson): void {
  person.isSuppressed = false
}
