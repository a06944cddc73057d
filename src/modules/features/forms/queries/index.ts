// All SQL of forms.
export * from './forms'
export * from './requests'
export * from './retention'
