// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A stablecoin of the sandbox. Its deployer may mint without limit.
contract TestToken is ERC20 {
    error NotOwner(address caller);

    address public immutable owner;
    address public immutable splitter;
    uint8 private immutable _decimals;

    constructor(string memory name, string memory symbol, uint8 decimals_, address splitter_) ERC20(name, symbol) {
        owner = msg.sender;
        splitter = splitter_;
        _decimals = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// In the sandbox, the splitter needs no approval; no real token works like this. So a payment to several receivers is
    /// one transaction of the payer. The splitter moves only tokens of its caller.
    function allowance(address holder, address spender) public view override returns (uint256) {
        return spender == splitter ? type(uint256).max : super.allowance(holder, spender);
    }

    function mint(address to, uint256 amount) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _mint(to, amount);
    }
}
