export { networkOf, trustOf, type Trust } from '../../shared/network.js';
