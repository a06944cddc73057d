// All SQL of feedback, by purpose.
export * from './apply'
